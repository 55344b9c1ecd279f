import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

const reason = 'tried';

/** What names a zone, as the operator of zone 1 asks for zone 2, and what that is answered. */
const ofAnotherZone: [method: string, path: string, body: object | undefined, code: string][] = [
  ['GET', 'dashboard?days=1&server_id=2', undefined, 'server_not_found'],
  ['GET', 'withdrawals?server_id=2', undefined, 'server_not_found'],
  ['GET', 'withdrawals/w-2', undefined, 'withdraw_not_found'],
  ['POST', 'withdrawals/w-2/settle', { state: 'done', reason }, 'withdraw_not_found'],
  ['POST', 'withdrawals/w-2/receipt', {}, 'withdraw_not_found'],
  ['GET', 'chat?server_id=2', undefined, 'server_not_found'],
  ['GET', 'chat/2/context', undefined, 'not_found'],
  ['GET', 'audit?server_id=2', undefined, 'server_not_found'],
  ['PATCH', 'zones/2', { name: 'Mine' }, 'server_not_found'],
  ['POST', 'zones/status', { server_ids: [1, 2], status: 'open', reason }, 'server_not_found'],
  ['POST', 'zones/2/test', undefined, 'server_not_found'],
  ['POST', 'zones/2/merge', { into: 1, reason }, 'server_not_found'],
  ['POST', 'zones/1/merge', { into: 2, reason }, 'server_not_found'],
  ['PATCH', 'zones/1', { address: '10.6.6.6' }, 'permission_denied'],
  ['PATCH', 'zones/1', { port: 1 }, 'permission_denied'],
  ['PATCH', 'zones/1', { gm_url: 'http://10.6.6.6/gm' }, 'permission_denied'],
  ['PATCH', 'zones/1', { database_url: 'mysql://u:p@10.6.6.6:3306' }, 'permission_denied'],
  ['POST', 'zones', { server_id: 3, name: 'Three', address: '127.0.0.1', port: 3 }, 'permission_denied'],
];

describeOnEngines('an operator of one zone', (engine) => {
  test('when another zone is named, then it is as if it did not exist; the own one is there', async () => {
    const app = await startTestApp(await engine.freshUrl(), { console: { require_totp: false } });
    const limited = await makeOperator(app, { name: 'limited', role: 'admin', zones: [1] });
    const { kysely } = app.db;
    for (const server_id of [1, 2]) {
      await kysely
        .insertInto('server')
        .values({ server_id, name: `Z${server_id}`, address: '127.0.0.1', port: 9 })
        .execute();
      await kysely
        .insertInto('chat')
        .values({ server_id, content: `zone ${server_id}` })
        .execute();
      await kysely
        .insertInto('withdraw')
        .values({
          id: `w-${server_id}`,
          player_id: 1,
          server_id,
          amount: 5,
          state: 'unknown',
          open_key: `${server_id}:1`,
        } as never)
        .execute();
    }
    const before = await kysely.selectFrom('server').selectAll().orderBy('server_id').execute();
    for (const [method, path, body, code] of ofAnotherZone) {
      const answer = await limited.send(method, path, body);
      expect([path, answer.body.code]).toEqual([path, code]);
    }
    expect(await kysely.selectFrom('server').selectAll().orderBy('server_id').execute()).toEqual(before);

    const seen = async (path: string, list: string) =>
      (await limited.get(path)).body[list].map((each: { server_id: number }) => each.server_id);
    expect(await seen('zones', 'zones')).toEqual([1]);
    expect(await seen('withdrawals', 'withdrawals')).toEqual([1]);
    expect(await seen('chat', 'chat')).toEqual([1]);
    const file = await limited.get('withdrawals', { headers: { accept: 'text/csv' } });
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
    const settled = await limited.post('withdrawals/w-1/settle', { state: 'done', reason });
    expect([settled.status, settled.body.state]).toEqual([200, 'done']);
  });
});
