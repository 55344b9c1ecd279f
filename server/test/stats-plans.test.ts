import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import type { Db } from '../src/db/open.ts';
import { historyStore } from '../src/features/history/store.ts';
import { openLegacyAdmin } from '../src/features/legacy-tokens/admin/module.ts';
import { openPromoterAdmin } from '../src/features/promoters/admin/module.ts';
import { openStatsAdmin } from '../src/features/stats/admin/module.ts';
import { statSources } from '../src/features/stats/sources.ts';
import { statStore, summedByTime } from '../src/features/stats/store.ts';
import { localTime } from '../src/runtime/time.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migrated } from './db/opened.ts';
import { traced } from './db/query-plans.ts';

const settings = parseSettings({ auth: { password_key: 'k', jwt_secret: 'j'.repeat(40) } });
const timeZone = settings.time_zone;
const time = localTime(timeZone);
const ROWS = 4000;
const SPREAD_MS = 100 * 24 * 3_600_000;

/** Adds rows over a hundred days, all of them summed. */
async function fill(db: Db): Promise<void> {
  const { kysely } = db;
  const began = Date.now() - SPREAD_MS;
  const at = (index: number) => began + Math.floor((index * SPREAD_MS) / ROWS);
  const rows = Array.from({ length: ROWS }, (_, index) => index);
  const chunks = Array.from({ length: ROWS / 500 }, (_, chunk) => rows.slice(chunk * 500, chunk * 500 + 500));
  for (const chunk of chunks) {
    await kysely
      .insertInto('player')
      .values(
        chunk.map((index) => ({
          account: `p${index}`,
          created_at: at(index),
          server_id: index % 9,
          agent_id: index % 40,
          ip: `10.0.${index >> 8}.${index & 255}`,
          legacy_seen_at: index % 2 ? at(index) : null,
          last_server_id: index % 9,
        })),
      )
      .execute();
    await kysely
      .insertInto('player_login')
      .values(
        chunk.map((index) => ({
          player_id: index + 1,
          at: at(index),
          kind: 'login',
          ip: `10.0.0.${index % 99}`,
        })),
      )
      .execute();
    await kysely
      .insertInto('withdraw')
      .values(
        chunk.map((index) => ({
          id: `w${index}`,
          player_id: index + 1,
          server_id: index % 9,
          amount: 1,
          state: index % 100 === 0 ? 'unknown' : index % 10 === 0 ? 'failed' : 'done',
          created_at: at(index),
          updated_at: at(index),
        })),
      )
      .execute();
  }
  await kysely
    .insertInto('agent')
    .values(Array.from({ length: 400 }, (_, index) => ({ name: `a${index}` })))
    .execute();
  const stats = statStore(db);
  for (const source of statSources(db, time)) {
    await stats.addCursor(source.name, summedByTime(timeZone));
    let position = { position: 0, afterId: '' };
    for (let batch = await source.read(position, 900); batch; batch = await source.read(position, 900)) {
      await stats.commit(source.name, summedByTime(timeZone), position, batch);
      position = batch.next;
    }
  }
}

/** SQLite has no statistics until told to gather them. */
const analyze = ({ engine, kysely }: Db) =>
  sql
    .raw(engine === 'mysql' ? 'analyze table player, player_login, withdraw, day_stat' : 'analyze')
    .execute(kysely);

describeOnEngines('the queries of figures', (engine) => {
  test('when there are many rows, then no query scans a whole table', async () => {
    const plain = await migrated(engine);
    await fill(plain);
    const { db, fullScans } = traced(plain);
    const stats = openStatsAdmin({ db, settings });
    const promoters = openPromoterAdmin({ db, figuresOf: stats.figuresOfPromoter });
    const history = historyStore(db);
    const now = Date.now();
    const span = { from: now - SPREAD_MS / 20, to: now };
    const [day] = time.lastDays(3);
    const [registrations, logins, done] = statSources(db, time);
    const calls: [string, () => Promise<unknown>][] = [
      ['dashboard', () => stats.dashboard({ days: 7, zones: null })],
      ['dashboard of some zones', () => stats.dashboard({ days: 7, zones: [1, 2] })],
      ['registrations', () => stats.registrations({ day, zones: null, personal: true })],
      ['registrations of a zone', () => stats.registrations({ day, zones: [1], personal: true })],
      ['promoters', () => promoters.page({ span, zones: null }, { before: 50, limit: 10 })],
      ['a promoter in some zones', () => promoters.show(7, { span, zones: [1, 2] })],
      ['legacy', () => openLegacyAdmin({ db, timeZone }).report(null)],
      ['legacy of a zone', () => openLegacyAdmin({ db, timeZone }).report([1])],
      ['a player’s logins', () => history.loginsOf(7, 50)],
      [
        'new players',
        () => registrations?.read({ position: span.from, afterId: '5' }, 100, now) ?? expect.fail(),
      ],
      ['new logins', () => logins?.read({ position: span.from, afterId: '5' }, 100, now) ?? expect.fail()],
      ['newest login', () => logins?.head() ?? expect.fail()],
      [
        'new withdrawals',
        () => done?.read({ position: span.from, afterId: 'w1' }, 100, now) ?? expect.fail(),
      ],
    ];
    const found: Record<string, string[]> = {};
    async function look(): Promise<void> {
      for (const [name, call] of calls) {
        await call();
        const scans = (await fullScans()).filter((scan) => !/stat_cursor/.test(scan));
        if (scans.length > 0) found[name] = scans;
      }
    }
    if (plain.engine === 'sqlite') await look();
    await analyze(plain);
    await look();
    expect(found).toEqual({});
    await db.kysely.selectFrom('player').select('id').where('device', '=', 'x').execute();
    expect(await fullScans()).toHaveLength(1);
  });
});
