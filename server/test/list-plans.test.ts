import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { indexChat } from '../src/db/chat-names.ts';
import type { Db } from '../src/db/open.ts';
import { findPlayers } from '../src/features/account/admin/find-players.ts';
import { playerSearchStore } from '../src/features/account/admin/search-store.ts';
import { auditStore } from '../src/features/audit/store.ts';
import { chatSearchStore } from '../src/features/chat/admin/store.ts';
import { exportListsStore } from '../src/features/own-account/export-lists-store.ts';
import { webhookAdminStore } from '../src/features/webhooks/admin/store.ts';
import { webhookStore } from '../src/features/webhooks/store.ts';
import { listStore } from '../src/features/withdraw/store/list-store.ts';
import { migrated } from './db/opened.ts';
import { traced } from './db/query-plans.ts';

const ROWS = 3000;
const CHUNK = 500;
/** A small page relative to the rows: MariaDB sorts a table that is not much larger than the page. */
const page = { limit: 5, after: undefined };
const span = { from: 1_000_000, to: 1_050_000 };

async function fill({ engine, kysely }: Db): Promise<void> {
  for (let first = 0; first < ROWS; first += CHUNK) {
    const rows = Array.from({ length: CHUNK }, (_, offset) => first + offset);
    const at = (index: number) => 1_000_000 + index * 1000;
    const player = (index: number) => ({
      account: `p${index}`,
      email: `p${index}@example.org`,
      ip: `10.0.${index >> 8}.${index & 255}`,
      status: index % 100 ? 'active' : 'banned',
      agent_id: index % 40,
      server_id: index % 9,
      created_at: at(index),
    });
    const withdrawal = (index: number) => ({
      id: `w${index}`,
      player_id: 1 + (index % 700),
      server_id: index % 9,
      amount: 1,
      state: index % 100 ? 'done' : 'unknown',
      created_at: at(index),
    });
    const line = (index: number) => ({
      server_id: index % 9,
      account: `p${index % 700}`,
      role: `r${index % 700}`,
      channel: index % 2 ? 'world' : 'guild',
      content: 'hello',
      received_at: at(index),
    });
    const record = (index: number) => ({
      id: `a${index}`,
      actor: `o${index % 20}`,
      via: 'console',
      action: index % 30 ? 'withdraw.settle' : 'player.ban',
      subject_kind: index % 30 ? 'withdrawal' : 'player',
      subject_id: `w${index}`,
      server_id: index % 9,
      at: at(index),
    });
    const delivery = (index: number) => ({
      webhook_id: 1 + (index % 3),
      event_id: `m${index}`,
      type: 'player.registered',
      body: '{}',
      player_id: index,
      state: index % 50 ? 'delivered' : index % 100 ? 'pending' : 'parked',
      next_at: at(index),
      created_at: at(index),
    });
    await kysely.insertInto('player').values(rows.map(player)).execute();
    await kysely
      .insertInto('player_connect_threeparty')
      .values(rows.map((index) => ({ connect_id: `c${index}`, player_id: index + 1 })))
      .execute();
    await kysely
      .insertInto('player_zone')
      .values(rows.map((index) => ({ player_id: index + 1, server_id: index % 7 })))
      .execute();
    await kysely
      .insertInto('player_login')
      .values(
        rows.map((index) => ({ player_id: index + 1, at: at(index), kind: 'login', ip: player(index).ip })),
      )
      .execute();
    await kysely.insertInto('withdraw').values(rows.map(withdrawal)).execute();
    await kysely.insertInto('chat').values(rows.map(line)).execute();
    await kysely.insertInto('audit').values(rows.map(record)).execute();
    await kysely.insertInto('webhook_delivery').values(rows.map(delivery)).execute();
  }
  const tables =
    'player, player_connect_threeparty, player_login, player_zone, withdraw, chat, audit, webhook_delivery';
  if (engine === 'sqlite') return;
  await indexChat(kysely, sql.lit(Number.MAX_SAFE_INTEGER), ROWS);
  await sql.raw(`analyze table ${tables}, chat_name`).execute(kysely);
}

type Case = readonly [list: string, (db: Db) => Promise<unknown>, indexes: readonly string[]];
type PlayerQuery = Parameters<ReturnType<typeof findPlayers>>[0];
type ChatFilter = Parameters<ReturnType<typeof chatSearchStore>['search']>[0];
type WithdrawFilter = Parameters<ReturnType<typeof listStore>['list']>[0];
type AuditFilter = Omit<Parameters<ReturnType<typeof auditStore>['list']>[0], 'limit'>;

const players = (query: Omit<PlayerQuery, 'personal'>) => (db: Db) =>
  findPlayers(playerSearchStore(db))({ ...query, personal: true }, page);
const chat = (filter: ChatFilter) => (db: Db) => chatSearchStore(db).search(filter, page);
const withdrawals = (filter: WithdrawFilter) => (db: Db) => listStore(db).list(filter, page);
const audit = (filter: AuditFilter) => (db: Db) => auditStore(db).list({ ...filter, limit: page.limit });
const deliveries = (state?: 'parked') => (db: Db) =>
  webhookAdminStore(db).deliveries(2, { limit: page.limit, state });
const exported = (list: (store: ReturnType<typeof exportListsStore>) => AsyncGenerator) => (db: Db) =>
  list(exportListsStore(db)).next();
const byId = 'player_connect_threeparty_connect_id';

const cases: readonly Case[] = [
  ['players', players({}), ['PRIMARY']],
  ['players by account', players({ q: 'p77' }), ['PRIMARY', byId, 'player_account_key']],
  ['players by e-mail', players({ q: 'p77@example.org' }), ['player_email', 'player_event_at']],
  ['players by address', players({ q: '10.0.1.7' }), ['player_ip', 'player_login_ip_player_id', 'PRIMARY']],
  ['players by id', players({ q: '77' }), ['PRIMARY', byId, 'PRIMARY', 'player_account_key']],
  ['players who are banned', players({ status: 'banned' }), ['player_status']],
  ['players of a promoter', players({ agentId: 7 }), ['player_agent_id']],
  [
    'players of a zone',
    players({ zones: [3] }),
    ['player_server_id', 'player_last_server_id', 'player_zone_server_id_player_id', 'PRIMARY'],
  ],
  [
    'players of a zone by account',
    players({ q: 'p77', zones: [3] }),
    ['PRIMARY', byId, 'player_account_key'],
  ],
  ['players of a zone who are banned', players({ status: 'banned', zones: [3] }), ['player_status']],
  ['withdrawals', withdrawals({}), ['withdraw_created_at_id']],
  ['withdrawals of a state', withdrawals({ states: ['unknown'] }), ['withdraw_state_created_at_id']],
  ['withdrawals of a zone', withdrawals({ zones: [3] }), ['withdraw_server_id_created_at_id']],
  [
    'withdrawals of a zone and state',
    withdrawals({ zones: [3], states: ['unknown'] }),
    ['withdraw_server_id_state_created_at_id'],
  ],
  [
    'withdrawals of a player',
    withdrawals({ playerId: 7, states: ['done'] }),
    ['withdraw_player_id_created_at_id'],
  ],
  ['withdrawals of a span', withdrawals(span), ['withdraw_created_at_id']],
  ['chat', chat({}), ['chat_received_at']],
  ['chat of a zone', chat({ serverIds: [3] }), ['chat_server_id_received_at']],
  ['chat of an account', chat({ account: 'p7' }), ['chat_account_received_at']],
  ['chat of a role', chat({ role: 'r7' }), ['chat_role_received_at']],
  ['chat of a role in a zone', chat({ role: 'r7', serverIds: [3] }), ['chat_role_received_at']],
  ['chat of a channel', chat({ channel: 'guild' }), ['chat_channel_received_at']],
  ['chat of a span, by a text', chat({ ...span, contains: 'nobody' }), ['chat_received_at']],
  ['audit', audit({}), ['audit_at_id']],
  ['audit of an actor', audit({ actor: 'o7' }), ['audit_actor_at_id']],
  ['audit of an action', audit({ action: 'player.ban' }), ['audit_action_at_id']],
  ['audit of a kind', audit({ subjectKind: 'player' }), ['audit_subject_kind_at_id']],
  ['audit of a subject', audit({ subjectId: 'w7' }), ['audit_subject_id_at_id']],
  ['audit of a zone', audit({ serverId: 3 }), ['audit_server_id_at_id']],
  ['audit of a span', audit(span), ['audit_at_id']],
  ['deliveries of a webhook', deliveries(), ['webhook_delivery_webhook_id_created_at']],
  [
    'deliveries of a webhook and state',
    deliveries('parked'),
    ['webhook_delivery_webhook_id_state_created_at'],
  ],
  [
    'due deliveries',
    (db) => webhookStore(db, { open: () => undefined }).due(2, page.limit),
    ['webhook_delivery_webhook_id_state_next_at'],
  ],
  ['logins for an export', exported((lists) => lists.logins(7)), ['player_login_player_id_at']],
  [
    'logins beyond an export',
    (db) => exportListsStore(db).newestLoginBeyond(7, 1),
    ['player_login_player_id_at'],
  ],
  [
    'withdrawals for an export',
    exported((lists) => lists.withdrawals(7)),
    ['withdraw_player_id_created_at_id'],
  ],
  ['chat for an export', exported((lists) => lists.chat('p7')), ['chat_account_received_at']],
  [
    'chat beyond an export',
    (db) => exportListsStore(db).newestChatBeyond('p7', 1),
    ['chat_account_received_at'],
  ],
];

describeOnEngines('the lists of operators and exports', (engine) => {
  test('when a list is filtered, then an index has its rows in their order', async () => {
    const plain = await migrated(engine);
    await fill(plain);
    const { db, indexesUsed } = traced(plain);
    const used: Record<string, readonly string[]> = {};
    for (const [name, list] of cases) {
      await list(db);
      used[name] = await indexesUsed();
    }
    // SQLite first searches the unindexed lines of bursts.
    const onSqlite = (name: string, indexes: readonly string[]) => {
      const all = name.startsWith('chat') ? ['chat_unindexed', ...indexes] : indexes;
      // The end of the slice, and the slice.
      return name.endsWith('by a text') ? [...all, ...all] : all;
    };
    // MariaDB finds a role or channel by a table of names, and first searches the lines that are not in it yet.
    const onMariadb = (name: string, indexes: readonly string[]) => {
      if (/^chat of a (?:role|channel)/.test(name))
        return ['chat_name_line_at_line_id', 'chat_received_at', 'PRIMARY'];
      // The plan of a search for a withdrawal that does not exist names no index.
      return /^players .*by (?:account|id)$/.test(name) ? ['none', ...indexes.slice(1)] : indexes;
    };
    const expected = cases.map(([name, , indexes]) => [
      name,
      (engine.name === 'sqlite' ? onSqlite : onMariadb)(name, indexes),
    ]);
    expect(used).toEqual(Object.fromEntries(expected));
  });
});
