import { type Route, route, routes } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { runCli } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';
import { mount } from '../src/http/mount.ts';
import { startService } from '../src/main.ts';
import { parseSettings } from '../src/settings/load.ts';
import { clientFrom } from './support/client.ts';
import { startTestApp } from './support/test-app.ts';

/** Needs no JWT; everything else does. Whoever adds to this list has thought about it. */
const open = [
  'GET /api/check',
  'GET /api/config',
  'GET /api/forumauth/authorize',
  'GET /api/forumauth/callback',
  'GET /api/health/live',
  'GET /api/health/ready',
  'GET /api/link',
  'GET /api/metrics',
  'GET /api/misc/agree',
  'GET /api/openapi.json',
  'GET /api/server/list',
  'POST /api/bind_account',
  'POST /api/check',
  'POST /api/forumauth/bind',
  'POST /api/login',
  'POST /api/register',
  'POST /api/report/chat',
  'POST /api/reset_password',
  'POST /api/send_code',
];

const all = Object.values<Route>(routes);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

test('when the routes are listed, then exactly these are open', () => {
  expect(
    all
      .filter((each) => each.open)
      .map(nameOf)
      .sort(),
  ).toEqual(open);
});

test('when the CLI prints the routes, then it says the same', async () => {
  const { stdout, code } = await runCli(['routes', '--json']);
  const listed = JSON.parse(stdout) as { method: string; path: string; open: boolean }[];
  expect(code).toBe(0);
  expect(listed).toHaveLength(all.length);
  expect(
    listed
      .filter((each) => each.open)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  ).toEqual(open);
});

test('when a guarded route is asked without a token, then it says 401 before anything else', async () => {
  const app = await startTestApp(`sqlite:${tempDir('routes')}/gatehouse.db`);
  for (const { method, path, open: isOpen } of all) {
    if (isOpen) continue;
    const answer = await app.send(method, path.replace(':provider', 'forum'));
    expect({ path, status: answer.status, code: answer.body.code }).toEqual({
      path,
      status: 401,
      code: 'invalid_token',
    });
  }
});

test('when a route is added without saying anything, then it is protected', async () => {
  const plain = route({
    method: 'GET',
    path: '/api/brand_new',
    tag: 'site',
    summary: 'A route somebody just added',
    answers: { 200: { description: 'Something' } },
    refusals: [],
  });
  const folder = tempDir('routes');
  const service = await startService({
    settings: parseSettings({
      port: 0,
      host: '127.0.0.1',
      log: { file: `${folder}/service.log` },
      database: { url: `sqlite:${folder}/gatehouse.db` },
      auth: { password_key: 'k', jwt_secret: 'x'.repeat(32) },
    }),
    extend: async (app) => mount(app, plain, async ({ reply }) => reply.send('open to all')),
  });
  const client = clientFrom(`http://127.0.0.1:${service.port}`, '127.0.0.1');
  expect((await client.get('/api/brand_new')).status).toBe(401);
  const { token } = service.app.security.tokens.issue({ playerId: 1, account: 'nobody', version: 1 });
  expect((await client.get('/api/brand_new', { token })).status).toBe(401);
  await service.stop();
});
