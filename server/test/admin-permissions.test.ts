import type { Route } from '@gatehouse/contract';
import { adminRoutes, type OperatorRole } from '@gatehouse/contract/admin';
import { expect, test } from 'vitest';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { makeOperator, type OperatorClient } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

const everybody: OperatorRole[] = ['viewer', 'support', 'finance', 'manager', 'admin'];

/** Roles by permission, as in the contract; `platform`: not for operators limited to some zones. */
const table: Record<string, { roles: OperatorRole[]; platform?: true }> = {
  read: { roles: everybody },
  personal: { roles: ['support', 'manager', 'admin'] },
  'players.write': { roles: ['support', 'manager', 'admin'] },
  'chat.read': { roles: ['support', 'manager', 'admin'] },
  'withdrawals.settle': { roles: ['finance', 'admin'] },
  'zones.write': { roles: ['manager', 'admin'] },
  'promoters.write': { roles: ['manager', 'admin'], platform: true },
  'controls.write': { roles: ['manager', 'admin'], platform: true },
  'site.write': { roles: ['manager', 'admin'], platform: true },
  'audit.read': { roles: ['manager', 'admin'] },
  'system.read': { roles: ['manager', 'admin'], platform: true },
  'operators.write': { roles: ['admin'], platform: true },
  'webhooks.write': { roles: ['admin'], platform: true },
};

/** The permission each route requires; null for what concerns only the operator. */
const permissions: Record<string, string | null> = {
  'GET announcements': 'read',
  'POST announcements': 'controls.write',
  'POST announcements/preview': 'controls.write',
  'DELETE announcements/:id': 'controls.write',
  'PATCH announcements/:id': 'controls.write',
  'GET audit': 'audit.read',
  'GET chat': 'chat.read',
  'GET chat/:id/context': 'chat.read',
  'GET controls': 'read',
  'DELETE controls/:name': 'controls.write',
  'PUT controls/:name': 'controls.write',
  'POST controls/deny_ip': 'controls.write',
  'DELETE controls/deny_ip/:id': 'controls.write',
  'GET dashboard': 'read',
  'GET doctor': 'system.read',
  'GET takeover': 'system.read',
  'GET keys': 'operators.write',
  'POST keys': 'operators.write',
  'DELETE keys/:name': 'operators.write',
  'GET legacy': 'read',
  'POST logout': null,
  'GET me': null,
  'POST me/password': null,
  'POST me/totp': null,
  'POST me/totp/confirm': null,
  'POST me/totp/remove': null,
  'GET docs': 'read',
  'GET openapi.json': 'read',
  'GET operators': 'operators.write',
  'POST operators': 'operators.write',
  'PATCH operators/:name': 'operators.write',
  'POST operators/:name/invite': 'operators.write',
  'GET players': 'read',
  'GET players/:player_id': 'read',
  'POST players/:player_id/ban': 'players.write',
  'POST players/:player_id/email': 'players.write',
  'POST players/:player_id/notes': 'players.write',
  'POST players/:player_id/reset_password': 'players.write',
  'GET players/:player_id/roles': 'read',
  'POST players/:player_id/mute': 'players.write',
  'POST players/:player_id/reset_two_factor': 'players.write',
  'POST players/:player_id/sign_out': 'players.write',
  'POST players/:player_id/unban': 'players.write',
  'POST players/:player_id/unlock': 'players.write',
  'POST players/:player_id/unmute': 'players.write',
  'GET withdrawals/:id/balance': 'read',
  'GET promoters': 'read',
  'POST promoters': 'promoters.write',
  'GET promoters/:agent_id': 'read',
  'PATCH promoters/:agent_id': 'promoters.write',
  'GET reconciliation': 'read',
  'GET registrations': 'read',
  'GET settings': 'system.read',
  'GET webhooks': 'webhooks.write',
  'POST webhooks': 'webhooks.write',
  'PATCH webhooks/:id': 'webhooks.write',
  'DELETE webhooks/:id': 'webhooks.write',
  'POST webhooks/:id/secret': 'webhooks.write',
  'GET webhooks/:id/deliveries': 'webhooks.write',
  'POST webhooks/:id/replay': 'webhooks.write',
  'POST webhooks/:id/test': 'webhooks.write',
  'GET site': 'read',
  'PATCH site': 'site.write',
  'PUT site/files/:name': 'site.write',
  'DELETE site/files/:name': 'site.write',
  'GET withdrawals': 'read',
  'GET withdrawals/:id': 'read',
  'POST withdrawals/:id/gm_url': 'withdrawals.settle',
  'POST withdrawals/:id/receipt': 'withdrawals.settle',
  'POST withdrawals/:id/settle': 'withdrawals.settle',
  'GET zones': 'read',
  'POST zones': 'zones.write',
  'PATCH zones/:server_id': 'zones.write',
  'POST zones/status': 'zones.write',
  'POST zones/:server_id/test': 'zones.write',
  'POST zones/:server_id/merge': 'zones.write',
};

const routes = Object.values<Route>(adminRoutes).filter(({ auth }) => auth === 'operator');
const nameOf = ({ method, path }: Route) => `${method} ${path.slice('/api/admin/'.length)}`;
/** Fills in ids that do not exist, so that nothing is changed in any case. */
const pathOf = ({ path }: Route) =>
  path
    .slice('/api/admin/'.length)
    .replaceAll(/:(\w+)/g, (_, name: string) => (name === 'name' ? 'nobody' : '987654'));

const relaxed = { console: { require_totp: false } };
const newApp = (settings = relaxed) => startTestApp(freshSqlite(), settings);

function call(client: OperatorClient, route: Route) {
  // This body fits no route that would change something.
  const body = route.method === 'GET' ? undefined : { unknown_field: true };
  return client.send(route.method, pathOf(route), body);
}

test('when the operators’ routes are listed, then each has its permission, and a changing one its audit action', () => {
  expect(Object.fromEntries(routes.map((route) => [nameOf(route), route.permission]))).toEqual(permissions);
  for (const route of routes)
    expect([nameOf(route), route.method === 'GET' || route.audit !== undefined]).toEqual([
      nameOf(route),
      true,
    ]);
});

test('when each role calls each route, for all zones and for some, then exactly the table is allowed', async () => {
  const app = await newApp();
  for (const role of everybody) {
    for (const zones of [null, [1]]) {
      const client = await makeOperator(app, { name: `${role}.${zones ? 'limited' : 'all'}`, role, zones });
      for (const route of routes.filter(({ permission }) => permission !== null)) {
        const { roles, platform } = table[route.permission ?? ''] ?? expect.fail();
        const allowed = roles.includes(role) && !(platform && zones);
        const { status, body } = await call(client, route);
        const who = `${client.name} ${nameOf(route)}`;
        if (allowed) expect([who, status === 401 || status === 403]).toEqual([who, false]);
        else expect([who, status, body.code]).toEqual([who, 403, 'permission_denied']);
      }
    }
  }
}, 120_000);

test('when the session is missing or unknown, or the key wrong, or the token a player’s, then every route answers 401', async () => {
  const app = await newApp();
  const { token } = await app.register('alice');
  const strangers: Record<string, string>[] = [
    {},
    { cookie: 'gatehouse_operator=' },
    { cookie: `gatehouse_operator=${'x'.repeat(43)}` },
    { authorization: 'Bearer ghk_unknown' },
    { authorization: `Bearer ${token}` },
    { cookie: `gatehouse_operator=${token}` },
  ];
  for (const route of routes) {
    for (const headers of strangers) {
      const answer = await app.send(route.method, `/api/admin/${pathOf(route)}`, { headers });
      expect([nameOf(route), answer.status, answer.body.code]).toEqual([nameOf(route), 401, 'invalid_token']);
    }
  }
});

test('when a route takes no fields, then unknown ones are refused, and its answers are not cached', async () => {
  const app = await newApp();
  const boss = await makeOperator(app);
  for (const [method, path, body] of [
    ['GET', 'me?x=1', undefined],
    ['GET', 'controls?x=1', undefined],
    ['POST', 'me/totp', { x: 1 }],
    ['POST', 'operators/boss/invite', { x: 1 }],
    ['DELETE', 'announcements/1', { x: 1 }],
  ] as const) {
    const { status, body: problem } = await boss.send(method, path, body);
    expect([path, status, problem.errors?.[0]?.field]).toEqual([path, 400, 'x']);
  }
  const { token } = await app.register('alice');
  expect((await app.get('/api/bind?x=1', { token })).status).toBe(400);
  const left = await boss.post('logout');
  expect([left.status, left.headers.get('cache-control')]).toEqual([204, 'no-store']);
});

test('when an operator’s session or key is sent to a player’s route, then it is not accepted', async () => {
  const app = await newApp();
  const boss = await makeOperator(app);
  const { key } = (await boss.post('keys', { name: 'script', role: 'admin' })).body;
  const asPlayer = async (headers: Record<string, string>) =>
    (await app.get('/api/bind', { headers })).status;
  expect(await asPlayer({ cookie: boss.cookie })).toBe(401);
  expect(await asPlayer({ authorization: `Bearer ${key}` })).toBe(401);
});

test('when two-factor login is required and not set up, then only the operator’s own routes are open', async () => {
  const app = await newApp({ console: { require_totp: true } });
  const boss = await makeOperator(app);
  for (const route of routes.filter(({ permission }) => permission !== null)) {
    const answer = await call(boss, route);
    expect([nameOf(route), answer.status, answer.body.code]).toEqual([nameOf(route), 403, 'totp_required']);
  }
  expect((await boss.get('me')).status).toBe(200);
  expect((await boss.post('logout')).status).toBe(204);
});
