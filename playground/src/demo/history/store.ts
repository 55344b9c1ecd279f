import { randomUUID } from 'node:crypto';
import type { Db } from '@gatehouse/server/db/open';
import type { DemoWithdrawal, Story } from './story.ts';
import { notes, promoters } from './words.ts';

type Trx = Parameters<Parameters<Db['transaction']>[0]>[0];

/** Rows per statement. SQLite accepts some thirty thousand parameters. */
const ROWS = 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export async function isNewDatabase({ kysely }: Db): Promise<boolean> {
  return (await kysely.selectFrom('player').select('id').limit(1).execute()).length === 0;
}

/** Returns the next player id, assuming that nobody registers meanwhile. */
export async function nextPlayerId({ kysely }: Db): Promise<number> {
  const row = await kysely
    .selectFrom('player')
    .select(({ fn }) => fn.max<number | null>('id').as('newest'))
    .executeTakeFirst();
  return (row?.newest ?? 0) + 1;
}

/** Writes the whole generated history in one transaction. */
export async function writeStory(db: Db, story: Story, dayOf: (at: number) => string): Promise<void> {
  await db.transaction(async (trx) => {
    const promoterIds = await addPromoters(trx, story);
    await addPlayers(trx, story, promoterIds);
    await addLogins(trx, story);
    await addWithdrawals(trx, story, dayOf);
    await addChat(trx, story);
    await addOperatorsWork(trx, story);
  });
}

async function insertAll<T>(rows: readonly T[], insert: (some: readonly T[]) => Promise<unknown>) {
  for (let first = 0; first < rows.length; first += ROWS) await insert(rows.slice(first, first + ROWS));
}

async function addPromoters(trx: Trx, { players }: Story): Promise<number[]> {
  const ids: number[] = [];
  for (const name of promoters) {
    const created_at = (players[0]?.createdAt ?? Date.now()) - HOUR_MS;
    const { insertId } = await trx.insertInto('agent').values({ name, created_at }).executeTakeFirstOrThrow();
    ids.push(Number(insertId));
  }
  return ids;
}

async function addPlayers(
  trx: Trx,
  { players, logins }: Story,
  promoterIds: readonly number[],
): Promise<void> {
  const counts = Map.groupBy(
    logins.filter(({ kind }) => kind === 'login' || kind === 'forum'),
    ({ player }) => player.id,
  );
  const rows = players.map((player) => ({
    id: player.id,
    account: player.account,
    email: `${player.account}@playground.test`,
    email_key: `${player.account}@playground.test`,
    server_id: player.zone,
    ip: player.address,
    device: 'playground',
    agent_id: player.promoter === null ? null : (promoterIds[player.promoter] ?? null),
    status: player.ban === null ? 'active' : 'banned',
    ban_reason: player.ban,
    created_at: player.createdAt,
    last_login_at: player.lastLoginAt,
    last_login_ip: player.lastLoginAt === null ? null : player.address,
    last_server_id: player.lastLoginAt === null ? null : player.zone,
    login_count: counts.get(player.id)?.length ?? 0,
  }));
  await insertAll(rows, (some) => trx.insertInto('player').values(some).execute());
}

async function addLogins(trx: Trx, { logins }: Story): Promise<void> {
  const rows = logins.map(({ player, at, kind }) => ({
    player_id: player.id,
    at,
    kind,
    code: kind === 'refused' ? 'invalid_credentials' : null,
    server_id: kind === 'enter' ? player.zone : null,
    ip: player.address,
    agent: player.agent,
  }));
  await insertAll(rows, (some) => trx.insertInto('player_login').values(some).execute());
}

/** Results as a game server would give them, worded like the events of real withdrawals. */
const endings = {
  done: { result_code: null, why: 'result 0' },
  failed: { result_code: 'deduction_refused', why: 'result 1' },
  refused: { result_code: 'insufficient_balance', why: 'insufficient_balance' },
  unknown: { result_code: null, why: 'no answer within 5 s' },
} as const;

async function addWithdrawals(
  trx: Trx,
  { withdrawals }: Story,
  dayOf: (at: number) => string,
): Promise<void> {
  const rows = withdrawals.map((each) => ({
    id: each.id,
    player_id: each.player.id,
    server_id: each.zone,
    role: JSON.stringify(each.player.role.id),
    role_id: each.player.role.id,
    role_name: each.player.role.name,
    amount: each.amount,
    state: each.state,
    result_code: endings[each.state].result_code,
    open_key: each.state === 'unknown' ? `${each.zone}:${each.player.role.id}` : null,
    day: each.state === 'done' || each.state === 'unknown' ? dayOf(each.at) : null,
    balance_before: each.balance,
    balance_after: each.state === 'done' ? each.balance - each.amount : null,
    created_at: each.at,
    updated_at: each.at + 2000,
  }));
  await insertAll(rows, (some) => trx.insertInto('withdraw').values(some).execute());
  const events = withdrawals.flatMap(eventsOf);
  await insertAll(events, (some) => trx.insertInto('withdraw_event').values(some).execute());
}

const answers = {
  done: { status: 200, answer: '{"result":0}' },
  failed: { status: 200, answer: '{"result":8,"msg":"refused by the game server"}' },
  unknown: {},
};

function eventsOf({ id, player, at, zone, amount, state }: DemoWithdrawal) {
  const event = (
    seq: number,
    { from, to, why, detail }: { from: string | null; to: string; why: string; detail?: object },
  ) => ({
    withdraw_id: id,
    seq,
    from_state: from,
    to_state: to,
    why,
    actor: seq === 1 ? `player:${player.id}` : 'demo',
    detail: detail === undefined ? null : JSON.stringify(detail),
    at: at + 500 * (seq - 1),
  });
  const order = { server_id: zone, role: player.role.id, amount };
  const accepted = event(1, { from: null, to: 'accepted', why: 'asked', detail: order });
  const { why } = endings[state];
  if (state === 'refused') return [accepted, event(2, { from: 'accepted', to: state, why })];
  const asked = { order: id, role: String(player.role.id), amount: String(amount) };
  return [
    accepted,
    event(2, { from: 'accepted', to: 'sending', why: 'claimed' }),
    event(3, { from: 'sending', to: state, why, detail: { asked, ...answers[state] } }),
  ];
}

async function addChat(trx: Trx, { chat }: Story): Promise<void> {
  const rows = chat.map(({ player, at, content }) => ({
    server_id: player.zone,
    account: player.account,
    role: player.role.name,
    channel: player.id % 3 === 0 ? 'guild' : 'world',
    content,
    sent_at: at,
    received_at: at,
  }));
  await insertAll(rows, (some) => trx.insertInto('chat').values(some).execute());
}

/** Adds past bans, notes and an announcement, with their audit entries. */
async function addOperatorsWork(trx: Trx, { players }: Story): Promise<void> {
  const record = (
    at: number,
    actor: string,
    action: string,
    subject: [kind: string, id: string],
    rest = {},
  ) => ({
    id: randomUUID(),
    at,
    actor,
    via: 'console',
    action,
    subject_kind: subject[0],
    subject_id: subject[1],
    ip: '192.0.2.10',
    ...rest,
  });
  const banned = players.filter(({ ban }) => ban !== null);
  const audit = banned.map(({ account, ban, lastLoginAt, createdAt }) =>
    record((lastLoginAt ?? createdAt) + MINUTE_MS, 'demo.support', 'player.ban', ['player', account], {
      reason: ban,
      before: JSON.stringify({ status: 'active' }),
      after: JSON.stringify({ status: 'banned', reason: ban }),
    }),
  );
  for (const [index, text] of notes.entries()) {
    const player = players[index * 90 + 20];
    if (!player) continue;
    const at = player.createdAt + 3 * HOUR_MS;
    await trx
      .insertInto('player_note')
      .values({ player_id: player.id, text, by: 'demo.support', at })
      .execute();
    audit.push(record(at, 'demo.support', 'player.note', ['player', player.account], { reason: text }));
  }
  const opened = players[Math.floor(players.length / 2)]?.createdAt ?? Date.now();
  const announcement = {
    title: '演示公告：新区开启',
    body: '前三日登录即送坐骑。',
    starts_at: opened,
    ends_at: opened + 72 * HOUR_MS,
    created_at: opened - HOUR_MS,
  };
  const { insertId } = await trx.insertInto('announcement').values(announcement).executeTakeFirstOrThrow();
  audit.push(
    record(announcement.created_at, 'demo.manager', 'announcement.add', ['announcement', String(insertId)], {
      after: JSON.stringify({ title: announcement.title }),
    }),
    record(opened - 2 * HOUR_MS, 'demo.manager', 'zone.status', ['zone', '3'], {
      server_id: 3,
      reason: '例行维护',
      before: JSON.stringify({ status: 'open' }),
      after: JSON.stringify({ status: 'maintenance' }),
    }),
  );
  await insertAll(audit, (some) => trx.insertInto('audit').values(some).execute());
}
