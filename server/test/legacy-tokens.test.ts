import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { openLegacyAdmin } from '../src/features/legacy-tokens/admin/module.ts';
import { legacyStore } from '../src/features/legacy-tokens/store.ts';
import { localTime } from '../src/runtime/time.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { migratedAt, opened } from './db/opened.ts';
import { startTestApp } from './support/test-app.ts';

const time_zone = zoneAtNoon();
const { hash } = createPasswords('old-generation-key');
const token = hash('secret');

const player = (account: string, last_server_id: number | null = null) => ({
  account,
  password_hash: token,
  last_server_id,
});

describeByTier('the old md5 tokens', (engine) => {
  test('when an old caller sends other fields too, then they are ignored, whatever their values', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.db.kysely.insertInto('player').values(player('ann')).execute();
    for (const more of [
      'server_id=',
      'server_id=0',
      'server_id=s1',
      'name=%D0%C7',
      '%D0=%C7',
      'sig=%zz',
      'a=1&a=2',
    ]) {
      const text = `account=ann&token=${token}&${more}`;
      const form = {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
      const answers = await Promise.all([
        fetch(`${app.url}/api/check?${text}`),
        fetch(`${app.url}/api/check`, form),
      ]);
      expect([more, answers.map(({ status }) => status)]).toEqual([more, [200, 200]]);
    }
    const wrong = await fetch(`${app.url}/api/check?account=ann&token=%ff`);
    expect(wrong.status).toBe(400);
    expect((await app.post('/api/check', { account: 'ann', token, server_id: 's1' })).status).toBe(400);
  });

  test('when players present them, then each is counted once a day, by the zone last entered', async () => {
    const app = await startTestApp(await engine.freshUrl(), { time_zone });
    await app.db.kysely
      .insertInto('player')
      .values([player('ann', 2), player('bob', 2), player('cid')])
      .execute();
    const check = async (account: string) => {
      const { status } = await app.post('/api/check', { account, token });
      expect(status).toBe(200);
      await app.features.legacyTokens.flush();
    };
    const { report } = openLegacyAdmin({ db: app.db, timeZone: time_zone });
    const { day, from } = localTime(time_zone).today();

    for (const account of ['ann', 'ann', 'bob', 'cid', 'ann']) await check(account);
    const zones = [
      { server_id: null, accounts: 1 },
      { server_id: 2, accounts: 2 },
    ];
    const first = await report(null);
    expect(first.days).toEqual([{ day, accounts: 3, zones }]);
    expect(first.last.map(({ account, server_id }) => [account, server_id])).toEqual([
      ['cid', null],
      ['bob', 2],
      ['ann', 2],
    ]);
    const ofZone = await report([2]);
    expect(ofZone.days).toEqual([{ day, accounts: 2, zones: [{ server_id: 2, accounts: 2 }] }]);
    expect(ofZone.last.map(({ account }) => account)).toEqual(['bob', 'ann']);

    await app.db.kysely
      .updateTable('player')
      .set({ legacy_seen_at: from - 1 })
      .where('account', '=', 'ann')
      .execute();
    await check('ann');
    expect((await report(null)).days[0]?.accounts).toBe(4);
    expect((await report(null)).last[0]?.account).toBe('ann');
  });

  test('when two instances see the same players concurrently, then each is counted once', async () => {
    const url = await engine.freshUrl();
    const dbs = [await migratedAt(url), await opened(url)] as const;
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    await dbs[0].kysely
      .insertInto('player')
      .values(ids.map((id) => player(`p${id}`, id % 3)))
      .execute();
    const today = localTime(time_zone).today();
    await Promise.all(dbs.map((db) => legacyStore(db).markSeen(ids, today)));
    const { report } = openLegacyAdmin({ db: dbs[0], timeZone: time_zone });
    expect((await report(null)).days.map(({ accounts }) => accounts)).toEqual([50]);
  });

  test('when they are turned off, then they are refused and JWTs are still accepted', async () => {
    const app = await startTestApp(await engine.freshUrl(), { auth: { legacy_tokens: false } });
    const { token: jwt } = await app.register('modern');
    await app.db.kysely.insertInto('player').values(player('ann')).execute();
    expect(await app.post('/api/check', { account: 'ann', token })).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    });
    expect((await app.post('/api/check', { account: 'modern', token: jwt })).status).toBe(200);
    await app.features.legacyTokens.flush();
    const row = await app.db.kysely
      .selectFrom('player')
      .select('legacy_seen_at')
      .where('account', '=', 'ann')
      .executeTakeFirst();
    expect(row?.legacy_seen_at).toBeNull();
  });
});
