import { operatorRoles } from '@gatehouse/contract/admin';
import { makeOperator } from '../support/operator.ts';
import { startTestApp } from '../support/test-app.ts';
import { type Document, type FuzzResult, fuzz } from './admin-fuzz.ts';

export interface FuzzRun {
  readonly databaseUrl: string;
  /** Per role. */
  readonly requests: number;
  readonly seed: number;
  readonly progress?: (role: string, result: FuzzResult) => void;
}

/** Excludes what would end its own session or operator. */
const leaveOut = (method: string, path: string) =>
  path === '/api/admin/logout' ||
  path.startsWith('/api/admin/me/') ||
  (method === 'PATCH' && path.includes('/operators/'));

/** Runs the service with data in every table, and one operator per role who sends random requests. */
export async function fuzzAsEachRole({
  databaseUrl,
  requests,
  seed,
  progress,
}: FuzzRun): Promise<Record<string, FuzzResult>> {
  const app = await startTestApp(databaseUrl, { console: { require_totp: false }, day_max_reg: 10 });
  const { kysely } = app.db;
  await kysely
    .insertInto('server')
    .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 9 })
    .execute();
  await kysely
    .insertInto('player')
    .values({ account: 'alice', password_hash: 'a'.repeat(32), email: 'a@example.com', ip: '203.0.113.9' })
    .execute();
  await kysely.insertInto('chat').values({ server_id: 1, account: 'alice', content: 'hello' }).execute();
  await kysely
    .insertInto('withdraw')
    .values({ id: 'w-1', player_id: 1, server_id: 1, amount: 5, state: 'unknown', open_key: '1:1' } as never)
    .execute();
  const results: Record<string, FuzzResult> = {};
  for (const [index, role] of operatorRoles.entries()) {
    const operator = await makeOperator(app, { name: `${role}-fuzz`, role });
    const document: Document = (await operator.get('openapi.json')).body;
    const headers = { cookie: operator.cookie, origin: app.url, 'accept-language': 'en' };
    results[role] = await fuzz({ url: app.url, document, headers, requests, seed: seed + index, leaveOut });
    progress?.(role, results[role]);
  }
  return results;
}
