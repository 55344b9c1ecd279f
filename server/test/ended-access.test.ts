import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { makeOperator, type OperatorClient } from './support/operator.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';

const relaxed = { console: { require_totp: false } };

/** Longer than the service trusts an authentication without the body. It counts from the arrival of the head. */
const HELD_BACK_MS = 800;

/** Resolves when a head for this path has arrived. */
function arrivalAt(path: string): Promise<void> {
  return new Promise((resolve) => {
    const arrived = (message: unknown) => {
      if ((message as { request: IncomingMessage }).request.url !== path) return;
      unsubscribe('http.server.request.start', arrived);
      resolve();
    };
    subscribe('http.server.request.start', arrived);
  });
}

/** Sends a request's head. Returns the function that sends its body and resolves to the status. */
async function holdBack(url: string, headers: Record<string, string>, body: object) {
  const text = JSON.stringify(body);
  const sending = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
  });
  const status = new Promise<number>((resolve, reject) => {
    sending.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    sending.once('error', reject);
  });
  const arrived = arrivalAt(new URL(url).pathname);
  sending.flushHeaders();
  await arrived;
  await sleep(HELD_BACK_MS);
  return () => {
    sending.end(text);
    return status;
  };
}

const keyNames = async ({ db }: TestApp) =>
  (await db.kysely.selectFrom('operator_key').select('name').execute()).map(({ name }) => name);

const newKey = (name: string) => ({ name, role: 'admin', zones: null });

const disable = (boss: OperatorClient, name: string) =>
  boss.send('PATCH', `operators/${name}`, { status: 'disabled' });

describeOnEngines('operators who lose their access', (engine) => {
  test('when an operator is disabled while their requests run, then they leave no key and no operator', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const leaving = await makeOperator(app, { name: 'leaving' });
    const asked = Array.from({ length: 8 }, (_, index) => leaving.post('keys', newKey(`script-${index}`)));
    const disabled = disable(boss, 'leaving');
    asked.push(...Array.from({ length: 8 }, (_, index) => leaving.post('keys', newKey(`late-${index}`))));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect((await disabled).status).toBe(200);
    // All wait for one row; a request that waits too long on a slow machine is answered 503.
    expect(statuses.filter((status) => ![201, 401, 503].includes(status))).toEqual([]);
    expect(await keyNames(app)).toEqual([]);
  });

  test('when an operator is disabled before the body of a request arrives, then it is refused', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const leaving = await makeOperator(app, { name: 'leaving' });
    const headers = { cookie: leaving.cookie, origin: app.url };
    const sendBody = await holdBack(`${app.url}/api/admin/keys`, headers, newKey('script'));
    expect((await disable(boss, 'leaving')).status).toBe(200);
    expect(await sendBody()).toBe(401);
    expect(await keyNames(app)).toEqual([]);
  });
});

test('when an operator changes their own access, then the change and its row are stored', async () => {
  const app = await startTestApp(freshSqlite(), relaxed);
  await makeOperator(app);
  const second = await makeOperator(app, { name: 'second' });
  const changed = await second.send('PATCH', 'operators/second', {
    role: 'viewer',
  });
  expect(changed.status).toBe(200);
  expect((await second.get('me')).status).toBe(401);
});

test.each(['game/withdraw', 'enter_game'])(
  'when a player is signed out before the body of %s arrives, then it is refused',
  async (path) => {
    const app = await startWithdrawApp(freshSqlite(), { settings: relaxed });
    const { player, body } = await addPlayerWithRole(app);
    const boss = await makeOperator(app);
    const headers = { authorization: `Bearer ${player.token}` };
    const sent = path === 'enter_game' ? { server_id: body.server_id } : body;
    const sendBody = await holdBack(`${app.url}/api/${path}`, headers, sent);
    const signedOut = await boss.post(`players/${player.id}/sign_out`, { reason: 'stolen session' });
    expect(signedOut.status).toBe(200);
    expect(await sendBody()).toBe(401);
    expect(await app.db.kysely.selectFrom('withdraw').selectAll().execute()).toEqual([]);
  },
);
