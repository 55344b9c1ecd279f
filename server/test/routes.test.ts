import { type Auth, type Route, route, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { mount } from '../src/http/mount.ts';
import { startService } from '../src/main.ts';
import { parseSettings } from '../src/settings/load.ts';
import { clientFrom } from './support/client.ts';
import { startTestApp } from './support/test-app.ts';

/** Routes by caller, so that moving a route to another list is a deliberate change. */
const callers: Record<Auth, string[]> = {
  none: [
    'GET /api/announcement/list',
    'GET /api/check',
    'GET /api/config',
    'GET /api/forumauth/authorize',
    'GET /api/forumauth/callback',
    'GET /api/health/live',
    'GET /api/health/ready',
    'GET /api/metrics',
    'GET /api/misc/agree',
    'GET /api/news',
    'GET /api/news/:id',
    'GET /api/openapi.json',
    'GET /api/server/list',
    'POST /api/admin/invitation',
    'POST /api/admin/invitation/check',
    'POST /api/admin/login',
    'POST /api/check',
    'POST /api/forumauth/bind',
    'POST /api/login',
    'POST /api/login/second_factor',
    'POST /api/register',
    'POST /api/reset_password',
    'POST /api/send_code',
  ],
  player: [
    'DELETE /api/bind/:provider',
    'GET /api/account',
    'GET /api/account/export',
    'GET /api/account/logins',
    'GET /api/bind',
    'GET /api/game/roles',
    'GET /api/game/withdrawals',
    'POST /api/account/delete',
    'POST /api/account/delete/cancel',
    'POST /api/account/email',
    'POST /api/account/name',
    'POST /api/account/password',
    'POST /api/account/sign_out_everywhere',
    'POST /api/account/totp',
    'POST /api/account/totp/confirm',
    'POST /api/account/totp/recovery_codes',
    'POST /api/account/totp/remove',
    'POST /api/enter_game',
    'POST /api/game/withdraw',
    'POST /api/logout',
  ],
  game_server: ['GET /api/link', 'POST /api/bind_account', 'POST /api/report/chat'],
  operator: [
    'DELETE /api/admin/announcements/:id',
    'DELETE /api/admin/controls/:name',
    'DELETE /api/admin/controls/deny_ip/:id',
    'DELETE /api/admin/keys/:name',
    'DELETE /api/admin/site/files/:name',
    'GET /api/admin/announcements',
    'GET /api/admin/audit',
    'GET /api/admin/chat',
    'GET /api/admin/chat/:id/context',
    'GET /api/admin/controls',
    'GET /api/admin/dashboard',
    'GET /api/admin/docs',
    'GET /api/admin/doctor',
    'GET /api/admin/keys',
    'GET /api/admin/legacy',
    'GET /api/admin/me',
    'GET /api/admin/openapi.json',
    'GET /api/admin/operators',
    'GET /api/admin/players',
    'GET /api/admin/players/:player_id',
    'GET /api/admin/players/:player_id/roles',
    'GET /api/admin/zones',
    'PATCH /api/admin/zones/:server_id',
    'GET /api/admin/promoters',
    'GET /api/admin/promoters/:agent_id',
    'GET /api/admin/reconciliation',
    'GET /api/admin/registrations',
    'GET /api/admin/settings',
    'GET /api/admin/site',
    'GET /api/admin/takeover',
    'GET /api/admin/withdrawals',
    'GET /api/admin/withdrawals/:id',
    'GET /api/admin/withdrawals/:id/balance',
    'PATCH /api/admin/announcements/:id',
    'PATCH /api/admin/operators/:name',
    'PATCH /api/admin/promoters/:agent_id',
    'PATCH /api/admin/site',
    'POST /api/admin/announcements',
    'POST /api/admin/announcements/preview',
    'POST /api/admin/controls/deny_ip',
    'POST /api/admin/keys',
    'POST /api/admin/logout',
    'POST /api/admin/me/password',
    'POST /api/admin/me/totp',
    'POST /api/admin/me/totp/confirm',
    'POST /api/admin/me/totp/remove',
    'POST /api/admin/operators',
    'POST /api/admin/operators/:name/invite',
    'POST /api/admin/players/:player_id/ban',
    'POST /api/admin/players/:player_id/email',
    'POST /api/admin/players/:player_id/mute',
    'POST /api/admin/players/:player_id/notes',
    'POST /api/admin/players/:player_id/reset_password',
    'POST /api/admin/players/:player_id/reset_two_factor',
    'POST /api/admin/players/:player_id/sign_out',
    'POST /api/admin/players/:player_id/unban',
    'POST /api/admin/players/:player_id/unlock',
    'POST /api/admin/players/:player_id/unmute',
    'POST /api/admin/zones',
    'POST /api/admin/zones/:server_id/merge',
    'POST /api/admin/zones/:server_id/test',
    'POST /api/admin/zones/status',
    'POST /api/admin/promoters',
    'POST /api/admin/withdrawals/:id/gm_url',
    'POST /api/admin/withdrawals/:id/receipt',
    'POST /api/admin/withdrawals/:id/settle',
    'DELETE /api/admin/webhooks/:id',
    'GET /api/admin/webhooks',
    'GET /api/admin/webhooks/:id/deliveries',
    'PATCH /api/admin/webhooks/:id',
    'POST /api/admin/webhooks',
    'POST /api/admin/webhooks/:id/replay',
    'POST /api/admin/webhooks/:id/secret',
    'POST /api/admin/webhooks/:id/test',
    'PUT /api/admin/controls/:name',
    'PUT /api/admin/site/files/:name',
  ],
};

const expected = Object.fromEntries(Object.entries(callers).map(([auth, list]) => [auth, list.toSorted()]));

const published = Object.values<Route>(routes);
const all = [...published, ...Object.values<Route>(adminRoutes)];

function byCaller(listed: readonly Pick<Route, 'method' | 'path' | 'auth'>[]): Record<Auth, string[]> {
  const of = (auth: Auth) =>
    listed
      .filter((each) => each.auth === auth)
      .map(({ method, path }) => `${method} ${path}`)
      .sort();
  return { none: of('none'), player: of('player'), game_server: of('game_server'), operator: of('operator') };
}

test('when the routes are listed, then exactly these are for each caller', () => {
  expect(byCaller(all)).toEqual(expected);
});

test('when the CLI prints the routes, then they are the same, with the open ones marked', async () => {
  const { stdout, code } = await runCli(['routes', '--json']);
  const listed: (Pick<Route, 'method' | 'path' | 'auth' | 'permission'> & { open: boolean })[] =
    JSON.parse(stdout);
  expect(code).toBe(0);
  expect(byCaller(listed)).toEqual(expected);
  for (const each of listed) {
    const permission = each.permission ? ['permission'] : [];
    expect(Object.keys(each)).toEqual(['method', 'path', 'open', 'auth', ...permission]);
    expect(each.open).toBe(each.auth === 'none' || each.auth === 'game_server');
  }
});

test('when the OpenAPI document is read, then it agrees, and only players need a JWT', async () => {
  const app = await startTestApp(freshSqlite());
  const { paths } = (await app.get('/api/openapi.json')).body as {
    paths: Record<string, Record<string, { 'x-auth': Auth; security: unknown }>>;
  };
  for (const { method, path, auth } of published) {
    const operation = paths[path.replace(/:(\w+)/, '{$1}')]?.[method.toLowerCase()];
    expect({ path, auth: operation?.['x-auth'], security: operation?.security }).toEqual({
      path,
      auth,
      security: auth === 'player' ? [{ jwt: [] }] : [],
    });
  }
});

test('when a player’s route is called without a token, then it answers 401 before anything else', async () => {
  const app = await startTestApp(freshSqlite());
  for (const { method, path } of all.filter(({ auth }) => auth === 'player')) {
    const answer = await app.send(method, path.replace(':provider', 'forum'));
    expect({ path, status: answer.status, code: answer.body.code }).toEqual({
      path,
      status: 401,
      code: 'invalid_token',
    });
  }
});

/** Starts a service with an additional route that is not in the contract. */
async function serviceWith(extend: (http: FastifyInstance) => void) {
  const folder = tempDir('routes');
  const service = await startService({
    settings: parseSettings({
      port: 0,
      host: '127.0.0.1',
      log: { file: `${folder}/service.log` },
      database: { url: `sqlite:${folder}/gatehouse.db` },
      auth: { password_key: 'k', jwt_secret: 'x'.repeat(32) },
    }),
    extend: async (http) => extend(http),
  });
  onTestFinished(() => service.stop());
  return { ...service, client: clientFrom(`http://127.0.0.1:${service.port}`, '127.0.0.1') };
}

test('when a route is added without declaring who may call it, then it is protected', async () => {
  const { client, app } = await serviceWith((http) => http.get('/api/brand_new', () => 'open to all'));
  expect((await client.get('/api/brand_new')).status).toBe(401);
  const { token } = app.security.tokens.issue({ playerId: 1, account: 'nobody', version: 1 });
  expect((await client.get('/api/brand_new', { token })).status).toBe(401);
});

test('when a player’s token is sent to an operator’s route, then it is not accepted', async () => {
  const operators = route({
    method: 'GET',
    path: '/api/brand_new',
    auth: 'operator',
    permission: 'read',
    tag: 'site',
    summary: 'A route for operators',
    answers: { 200: { description: 'Something' } },
    refusals: [],
  });
  const { client, app } = await serviceWith((http) =>
    mount(http, operators, ({ reply }) => reply.send('open to players')),
  );
  const player = { account: 'alice', password_hash: 'a'.repeat(32), email: 'alice@example.com' };
  await app.db.kysely.insertInto('player').values(player).execute();
  const { id, tokenVersion } = (await app.features.account.players.findByAccount('alice')) ?? {};
  const { token } = app.security.tokens.issue({
    playerId: Number(id),
    account: 'alice',
    version: Number(tokenVersion),
  });
  expect((await client.get('/api/bind', { token })).status).toBe(200);
  expect((await client.get('/api/brand_new', { token })).status).toBe(401);
});
