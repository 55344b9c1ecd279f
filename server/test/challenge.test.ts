import { createHash } from 'node:crypto';
import { solveChallenge } from 'altcha-lib/v1';
import { expect, test } from 'vitest';
import { freshMariadbUrl } from '../../test-support/engines.ts';
import { sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { run } from './support/fresh.ts';
import { makeOperator, OPERATOR_PASSWORD } from './support/operator.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';

interface Challenge {
  readonly algorithm: 'SHA-256';
  readonly challenge: string;
  readonly salt: string;
  readonly maxnumber: number;
  readonly signature: string;
}

const easy = { max_number: 1000 };
const headersOf = (payload: unknown) => ({
  headers: { 'x-challenge-solution': Buffer.from(JSON.stringify(payload)).toString('base64') },
});

async function solve({ algorithm, challenge, salt, maxnumber, signature }: Challenge) {
  const solution = await solveChallenge(challenge, salt, algorithm, maxnumber).promise;
  return { algorithm, challenge, number: solution?.number ?? -1, salt, signature };
}

const codesFrom = (count: number) => Array.from({ length: count }, (_, index) => `many${index}@example.com`);
const wanted = { status: 428, body: { code: 'challenge_required' } };

for (const store of ['memory', 'redis'] as const) {
  test(`when very many codes are requested from one address block, then it needs a solved challenge, and others do not (${store})`, async () => {
    const app = await startTestApp(freshSqlite(), {
      challenge: easy,
      ...(store === 'redis' && { redis: { url: sharedRedisUrl() } }),
    });
    const [high, low] = [parseInt(run.slice(4, 6), 16), parseInt(run.slice(6, 8), 16)];
    const at = (host: number) => app.from(`11.${high}.${low}.${host}`);
    for (const [index, email] of codesFrom(20).entries())
      expect((await at(index + 1).post('/api/send_code', { email })).status).toBe(200);
    const email = 'next@example.com';
    const refused = await at(99).post('/api/send_code', { email });
    expect(refused).toMatchObject(wanted);
    expect(refused.body.challenge).toMatchObject({ algorithm: 'SHA-256', maxnumber: 1000 });
    const solution = headersOf(await solve(refused.body.challenge));
    expect((await at(99).post('/api/send_code', { email }, solution)).status).toBe(200);
    expect((await at(98).post('/api/login', { account: 'nobody', password: 'x' })).status).toBe(401);
    expect((await app.from(freshAddress()).post('/api/send_code', { email: 'a@example.com' })).status).toBe(
      200,
    );
  });
}

test('when very many are requested from everywhere, then everyone needs a challenge', async () => {
  const app = await startTestApp(freshSqlite(), { challenge: { ...easy, pressure_total: 3 } });
  const ask = (email: string, host: number) => app.from(`12.0.${host}.1`).post('/api/send_code', { email });
  const answers = [];
  for (const [index, email] of codesFrom(5).entries()) answers.push((await ask(email, index)).status);
  expect(answers).toEqual([200, 200, 200, 428, 428]);
});

test('when an address guesses operators’ passwords, then the throttle refuses it before it needs a challenge', async () => {
  const app = await startTestApp(freshSqlite(), {
    challenge: easy,
    login_throttle: { address: { limit: 25 } },
  });
  const { post } = app.from(freshAddress());
  const statuses = [];
  for (let n = 0; n < 26; n++)
    statuses.push((await post('/api/admin/login', { name: `nobody-${n}`, password: 'wrong' })).status);
  expect(statuses).toEqual([...Array(25).fill(401), 429]);
});

test('when very many operators log in from everywhere, then all but their usual addresses need a challenge', async () => {
  const challenge = { ...easy, pressure_total: 4 };
  const app = await startTestApp(freshSqlite(), { challenge, console: { require_totp: false } });
  await makeOperator(app, { name: 'olga' });
  const logIn = (address: string, name: string, how = {}) =>
    app.from(address).post('/api/admin/login', { name, password: OPERATOR_PASSWORD }, how);
  const [usual, elsewhere] = [freshAddress(), freshAddress()];
  expect((await logIn(usual, 'olga')).status).toBe(200);
  const flood = [];
  for (let index = 0; index < 5; index++) flood.push((await logIn(`13.0.${index}.1`, 'nobody')).status);
  expect(flood).toEqual([401, 401, 401, 428, 428]);
  expect((await logIn(usual, 'olga')).status).toBe(200);
  const refused = await logIn(elsewhere, 'olga');
  expect(refused).toMatchObject(wanted);
  const solution = headersOf(await solve(refused.body.challenge));
  expect((await logIn(elsewhere, 'olga', solution)).status).toBe(200);
  for (const address of [usual, elsewhere]) expect((await logIn(address, 'olga')).status).toBe(200);
  expect((await app.post('/api/send_code', { email: 'a@example.com' })).status).toBe(200);
});

test('when a solution is reused, on another instance, for another route, changed, late or made up, then a new challenge is required', async () => {
  const url = await freshMariadbUrl();
  const settings = {
    challenge: { ...easy, mode: 'always' },
    auth: { jwt_secret: 'one-secret-for-both-instances-0123456789' },
    code_throttle: { email: { limit: 99, window: 60 } },
  };
  const [one, two] = [await startTestApp(url, settings), await startTestApp(url, settings)];
  const body = { email: 'once@example.com' };
  const { challenge } = (await one.post('/api/send_code', body)).body as { challenge: Challenge };
  const solved = await solve(challenge);
  const login = { account: 'nobody', password: 'x' };
  expect(await one.post('/api/login', login, headersOf(solved))).toMatchObject(wanted);
  const both = await Promise.all(
    [one, two, one, two].map((app) => app.post('/api/send_code', body, headersOf(solved))),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 428, 428, 428]);

  const ofLogin = (await two.post('/api/login', login)).body.challenge as Challenge;
  const right = await solve(ofLogin);
  const forged = {
    ...right,
    challenge: createHash('sha256').update(`${right.salt}7`).digest('hex'),
    number: 7,
  };
  const later = { ...right, salt: right.salt.replace(/expires=\d+/, 'expires=9999999999') };
  for (const wrong of [
    { ...right, number: right.number + 1 },
    { ...right, number: String(right.number) },
    { ...right, algorithm: 'SHA-1' },
    { ...right, signature: 'f'.repeat(64) },
    forged,
    later,
    null,
    [],
    'text',
    {},
  ])
    expect(await two.post('/api/login', login, headersOf(wrong))).toMatchObject(wanted);
  for (const header of ['', '%%%', 'bm90IGpzb24=', 'A'.repeat(4000)])
    expect(
      await two.post('/api/login', login, { headers: { 'x-challenge-solution': header } }),
    ).toMatchObject(wanted);
  expect((await one.post('/api/login', login, headersOf(right))).status).toBe(401);
});

test('when challenges are always required, then a whole registration with its proofs succeeds, and check needs none', async () => {
  const app = await startTestApp(freshSqlite(), { challenge: { ...easy, mode: 'always' } });
  const post = async (path: string, body: object) => {
    const first = await app.post(path, body);
    expect(first).toMatchObject(wanted);
    return app.post(path, body, headersOf(await solve(first.body.challenge)));
  };
  const account = 'worker_one';
  expect((await post('/api/login', { account, password: PASSWORD })).status).toBe(401);
  const form = { account, password: PASSWORD, email: 'w@example.com', code: '123456' };
  expect((await post('/api/register', form)).body.code).toBe('invalid_code');
  expect((await app.post('/api/check', { account, token: 'a'.repeat(32) })).status).toBe(401);
});
