import { hash, randomBytes } from 'node:crypto';
import { startGatehouse } from '../../../test-support/gatehouse.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { KnownPlayer } from './requests.ts';

const PASSWORD_KEY = 'old-generation-key';
const NEVER = { limit: 1_000_000_000, window: 3600 };
const zones = [1, 2, 3, 4, 5];

/** Starts the service as in production, with players whose answers are distinguishable. */
export async function startHostileService({ url, workers = 1 }: { url: string; workers?: number }) {
  const service = await startGatehouse({
    args: ['--workers', String(workers)],
    settings: {
      database: { url },
      auth: { password_key: PASSWORD_KEY, seal_key: randomBytes(32).toString('hex') },
      http: { connections_per_address: 5000 },
      login_throttle: { account_address: NEVER, address: NEVER, account: NEVER, player: NEVER },
      log: { level: 'warn' },
    },
  });
  const db = await openDatabase(url);
  const known = Array.from({ length: 30 }, (_, index) => {
    const [account, password] = [`mixed_player_${index}`, `the password of ${index}`];
    return { account, password, hash: hash('md5', password + PASSWORD_KEY), connectId: `forum-${account}` };
  });
  try {
    const server = { name: 'zone', address: '10.1.1.1', port: 7000 };
    await db.kysely
      .insertInto('server')
      .values(zones.map((server_id) => ({ ...server, server_id })))
      .execute();
    await db.kysely
      .insertInto('player')
      .values(known.map(({ account, hash: password_hash }) => ({ account, password_hash })))
      .execute();
    const rows = await db.kysely.selectFrom('player').select(['id', 'account']).execute();
    await db.kysely
      .insertInto('player_connect_threeparty')
      .values(rows.map(({ id, account }) => ({ connect_id: `forum-${account}`, player_id: id })))
      .execute();
  } finally {
    await db.close();
  }
  const players: KnownPlayer[] = [];
  for (const player of known) players.push({ ...player, token: await logIn(service.url, player) });
  await zonesAreListed(service.url);
  return {
    port: service.port,
    players,
    zones,
    /** Warnings and errors, except those that an attack is meant to cause. */
    logs: () => service.logs().filter(({ msg }) => msg !== 'malformed request'),
    stop: () => service.stop(),
  };
}

async function logIn(
  url: string,
  { account, password }: { account: string; password: string },
): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, password }),
  });
  return ((await answer.json()) as { token: string }).token;
}

/** Waits for all processes, because each reads the zones separately. */
async function zonesAreListed(url: string): Promise<void> {
  for (let inARow = 0; inARow < 20; ) {
    const { servers } = (await (
      await fetch(`${url}/api/server/list`, { headers: { connection: 'close' } })
    ).json()) as {
      servers: unknown[];
    };
    inARow = servers.length === zones.length ? inARow + 1 : 0;
    if (inARow === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
