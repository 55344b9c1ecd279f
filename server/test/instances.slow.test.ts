import { expect, onTestFinished, test, vi } from 'vitest';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { codeIn } from '../../test-support/mail.ts';
import { createDatabase } from '../../test-support/mariadb.ts';
import { startRedis } from '../../test-support/redis.ts';
import { sharedMariadbUrl } from '../../test-support/shared-servers.ts';
import { startSmtp } from '../../test-support/smtp.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { openDatabase } from '../src/db/open.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { clientFrom } from './support/client.ts';
import { CODE, count, INSTANCE_AUTH, insertCodes, instanceSuite } from './support/instances.ts';
import { countOf, type PipelinedPost, pipeline } from './support/pipeline.ts';
import { freshAddress, PASSWORD } from './support/test-app.ts';

const auth = INSTANCE_AUTH;
const { running, startThree } = instanceSuite();

test('when 150 register concurrently on three instances under a cap of 100, then exactly 100 succeed, and no refusal uses up a code', async () => {
  const time_zone = zoneAtNoon();
  const { url, ask } = await startThree({ day_max_reg: 100, time_zone });
  const db = await openDatabase(url);
  const players = Array.from({ length: 150 }, (_, index) => ({
    account: `racer_${index}`,
    email: `racer${index}@example.com`,
  }));
  await insertCodes(
    db,
    players.map(({ email }) => email),
  );
  const answers = await Promise.all(
    players.map((player, index) =>
      ask(index).post('/api/register', { ...player, password: PASSWORD, code: CODE }),
    ),
  );
  expect({ registered: count(answers, 201), capped: count(answers, 429) }).toEqual({
    registered: 100,
    capped: 50,
  });

  const [{ kept }] = (await db.kysely
    .selectFrom('player')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .execute()) as [{ kept: number }];
  const used = await db.kysely
    .selectFrom('verify')
    .select('email')
    .where('used_at', 'is not', null)
    .execute();
  const [counter] = await db.kysely.selectFrom('day_counter').selectAll().execute();
  const registered = players.filter((_, index) => answers[index]?.status === 201).map((each) => each.email);
  expect(kept).toBe(100);
  expect(counter?.n).toBe(100);
  expect(used.map((row) => row.email).sort()).toEqual(registered.sort());
  const tries = await db.kysely
    .selectFrom('verify')
    .select('attempts')
    .where('used_at', 'is', null)
    .where('attempts', '>', 0)
    .execute();
  expect(tries).toEqual([]);

  const midnight = Temporal.Now.zonedDateTimeISO(time_zone).startOfDay().add({ days: 1 }).epochMilliseconds;
  for (const answer of answers.filter(({ status }) => status === 429)) {
    expect(answer.body.code).toBe('registration_cap_reached');
    expect(Math.abs(Number(answer.headers.get('retry-after')) - (midnight - Date.now()) / 1000)).toBeLessThan(
      60,
    );
  }
  await db.close();
});

test('when one name is registered on every instance concurrently, then one player has it', async () => {
  const { url, ask } = await startThree({});
  const db = await openDatabase(url);
  const emails = Array.from({ length: 12 }, (_, index) => `same${index}@example.com`);
  await insertCodes(db, emails);
  const spellings = ['Same_Name', 'same_name', 'SAME_NAME'];
  const answers = await Promise.all(
    emails.map((email, index) =>
      ask(index).post('/api/register', {
        account: spellings[index % 3],
        email,
        password: PASSWORD,
        code: CODE,
      }),
    ),
  );
  expect({ made: count(answers, 201), taken: count(answers, 409) }).toEqual({ made: 1, taken: 11 });
  await db.close();
});

test('when a password is reset on one instance, then tokens end on every other immediately', async () => {
  const smtp = await startSmtp();
  const { url, ask } = await startThree({ mail: { url: smtp.url, from: 'Game <game@example.com>' } });
  const db = await openDatabase(url);
  const legacy = 'd41d8cd98f00b204e9800998ecf8427e';
  await db.kysely
    .insertInto('player')
    .values({ account: 'Imported', password_hash: legacy, email: 'imported@example.com' })
    .execute();
  await db.close();

  expect((await ask(0).post('/api/check', { account: 'imported', token: legacy })).body.format).toBe(
    'legacy',
  );
  await ask(1).post(
    '/api/send_code',
    { email: 'imported@example.com' },
    { headers: { 'accept-language': 'en' } },
  );
  const mail = await smtp.waitForMessage('imported@example.com');
  expect(mail.from).toBe('game@example.com');
  expect(mail.raw).toMatch(/Subject: Your Gatehouse verification code/);
  expect(mail.raw).toMatch(/multipart\/alternative/);
  const code = codeIn(mail.raw);
  expect(
    (await ask(2).post('/api/reset_password', { email: 'imported@example.com', code, password: PASSWORD }))
      .status,
  ).toBe(200);
  for (const instance of [0, 1, 2])
    expect((await ask(instance).post('/api/check', { account: 'imported', token: legacy })).status).toBe(401);

  const { token } = (await ask(0).post('/api/login', { account: 'imported', password: PASSWORD })).body;
  for (const instance of [0, 1, 2])
    expect((await ask(instance).get('/api/bind', { token })).status).toBe(200);
  await smtp.stop();
});

test('when 100 wrong logins arrive concurrently on three instances, then Redis admits no more than the limit', async () => {
  const redis = await startRedis();
  const { ask } = await startThree({ redis: { url: redis.url } });
  const attacker = freshAddress();
  const burst = (account: string, size: number) =>
    Promise.all(
      Array.from({ length: size }, (_, index) =>
        ask(index, attacker).post('/api/login', { account, password: `x${index}` }),
      ),
    );
  const together = await burst('victim_one', 100);
  expect({ evaluated: count(together, 401), refused: count(together, 429) }).toEqual({
    evaluated: 5,
    refused: 95,
  });

  await redis.kill();
  const apart = await burst('victim_two', 60);
  expect(count(apart, 401) + count(apart, 429)).toBe(60);
  expect(count(apart, 401)).toBeGreaterThanOrEqual(5);
  expect(count(apart, 401)).toBeLessThanOrEqual(15);

  await redis.restart();
  let round = 0;
  await vi.waitFor(async () => {
    round += 1;
    const again = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        ask(index, `198.25.0.${round}`).post('/api/login', { account: `victim_${round}`, password: 'x' }),
      ),
    );
    expect(count(again, 401)).toBe(5);
  }, 30_000);
  await redis.stop();
});

test('when bursts end with the right guess on three instances, then Redis admits as many as the limit and not the right one', async () => {
  const redis = await startRedis();
  const { url, ask } = await startThree({
    redis: { url: redis.url },
    login_throttle: { account: { limit: 20, window: 3600 } },
  });
  const db = await openDatabase(url);
  const password_hash = createPasswords(auth.password_key).hash(PASSWORD);
  await db.kysely
    .insertInto('player')
    .values(['one', 'spread', 'busy'].map((account) => ({ account, password_hash })))
    .execute();
  await db.close();

  const burst = (account: string, address: () => string) => [
    ...Array.from({ length: 200 }, () => ({ address: address(), body: { account, password: 'wrong' } })),
    { address: address(), body: { account, password: PASSWORD } },
  ];
  const onAll = (posts: () => PipelinedPost[]) =>
    Promise.all(running().map((each) => pipeline(each.url, posts())));
  const attacker = freshAddress();
  const together = await onAll(() => burst('one', () => attacker));
  expect(countOf(together.flat(), 401)).toBe(5);
  expect(together.map((statuses) => statuses.at(-1))).toEqual([429, 429, 429]);
  const spread = await onAll(() => burst('spread', freshAddress));
  expect(countOf(spread.flat(), 401)).toBe(20);
  expect(spread.map((statuses) => statuses.at(-1))).toEqual([429, 429, 429]);

  const home = freshAddress();
  const logins = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      ask(index, home).post('/api/login', { account: 'busy', password: PASSWORD }),
    ),
  );
  expect(count(logins, 200)).toBe(20);
  await redis.stop();
});

test('when the mail server hangs or refuses, then the answer is mail_unavailable in time and nothing is changed', async () => {
  const smtp = await startSmtp({ mode: 'hang' });
  const url = await createDatabase(sharedMariadbUrl());
  const service = await startGatehouse({ settings: { auth, database: { url }, mail: { url: smtp.url } } });
  onTestFinished(() => service.stop());
  const client = clientFrom(service.url, '127.0.0.1');
  const started = performance.now();
  const hung = await client.post('/api/send_code', { email: 'wait@example.com' });
  expect(hung).toMatchObject({ status: 503, body: { code: 'mail_unavailable' } });
  // The mail library's default would wait 30 s for a greeting.
  expect(performance.now() - started).toBeLessThan(20_000);
  smtp.setMode('refuse');
  expect((await client.post('/api/send_code', { email: 'wait@example.com' })).body.code).toBe(
    'mail_unavailable',
  );
  smtp.setMode('accept');
  expect((await client.post('/api/send_code', { email: 'wait@example.com' })).status).toBe(200);
  const db = await openDatabase(url);
  expect(await db.kysely.selectFrom('verify').select('email').execute()).toHaveLength(1);
  await db.close();
  for (const email of [
    'a@b.cc\r\nBcc: x@y.zz',
    'a@b.cc\nX: y',
    'a@b.cc,x@y.zz',
    '<a@b.cc>',
    'a b@c.dd',
    '"a\r\n"@b.cc',
  ]) {
    expect((await client.post('/api/send_code', { email })).body.errors[0].field).toBe('email');
  }
  await smtp.stop();
});
