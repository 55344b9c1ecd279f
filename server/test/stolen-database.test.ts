import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { dumpOf, readableIn, type Secrets } from './support/database-dump.ts';
import { BIND, type ForumApp, person, startForumApp } from './support/forum-app.ts';
import { invite, makeOperator, OPERATOR_PASSWORD } from './support/operator.ts';
import { legacyHash, PASSWORD } from './support/test-app.ts';
import { codeAt } from './support/totp.ts';

const NEW_PASSWORD = 'Another-Horse-43';
const SET_PASSWORD = 'Third-Horse-44';
const OWN_PASSWORD = 'Fourth-Horse-45';

const settings = {
  auth: { game_token: 'ticket', seal_key: 'a key that is in the settings file and nowhere else' },
  console: { require_totp: false },
  code_throttle: { email: { limit: 99, window: 60 } },
};

/** Returns the value of the first cookie in a header. */
const valueIn = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);

/** Players use every kind of login and change. Returns the secrets that only they may know. */
async function playersJourney(app: ForumApp): Promise<Secrets> {
  const zone = { server_id: 1, name: 'zone', address: '10.1.1.1', port: 7000 };
  await app.db.kysely.insertInto('server').values(zone).execute();
  await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
  const old = { account: 'Veteran', password_hash: legacyHash(PASSWORD), email: 'veteran@example.com' };
  await app.db.kysely.insertInto('player').values(old).execute();
  const logIn = async (account: string, password = PASSWORD) =>
    (await app.post('/api/login', { account, password })).body.token as string;

  const veteran = await logIn('Veteran');
  const { token: registered } = await app.register('Journey');
  const email = 'Journey@example.com';
  const usedCode = await app.code(email);
  await app.post('/api/reset_password', { email, code: usedCode, password: NEW_PASSWORD });
  const session = await logIn('Journey', NEW_PASSWORD);
  const ticket = (await app.post('/api/enter_game', { server_id: 1 }, { token: session })).body.token;
  const usedTicket = (await app.post('/api/enter_game', { server_id: 1 }, { token: session })).body.token;
  expect((await app.post('/api/check', { account: 'Journey', token: usedTicket })).status).toBe(200);
  await app.post('/api/logout', {}, { token: veteran });
  const openCode = await app.code('somebody@example.com');

  const { token: own } = await app.register('Careful');
  const change = { old_password: PASSWORD, password: OWN_PASSWORD };
  const { token: renewed } = (await app.post('/api/account/password', change, { token: own })).body;
  const { secret } = (await app.post('/api/account/totp', { password: OWN_PASSWORD }, { token: renewed }))
    .body;
  const confirmed = await app.post(
    '/api/account/totp/confirm',
    { code: await codeAt(secret) },
    { token: renewed },
  );
  expect(confirmed.status).toBe(200);
  const challenged = await app.post('/api/login', { account: 'Careful', password: OWN_PASSWORD });
  expect(challenged.body.code).toBe('second_factor_required');

  const bindTicket = await app.ticket(person(1));
  const bound = await app.post(BIND, { ticket: bindTicket, account: 'Veteran', password: PASSWORD });
  expect(bound.status).toBe(200);
  const forumSession = (await app.enter(person(2, 'Forum Guest'))).token;
  const forumTicket = await app.ticket(person(3));
  await app.register('Temporary');
  const set = ['player', 'set-password', 'Temporary'];
  await runCommand(set, { config: app.settingsFile, input: `${SET_PASSWORD}\n` });

  const passwords = { PASSWORD, NEW_PASSWORD, SET_PASSWORD, OWN_PASSWORD };
  return {
    long: {
      ...Object.fromEntries(
        Object.entries(passwords).map(([name, value]) => [`the hash of ${name}`, legacyHash(value)]),
      ),
      ...passwords,
      ...{ own, renewed, secret, challenge: challenged.body.challenge as string },
      ...{ veteran, registered, session, ticket, usedTicket, bindTicket, forumSession, forumTicket },
    },
    short: { usedCode, openCode },
  };
}

async function operatorsJourney(app: ForumApp): Promise<Secrets> {
  const boss = await makeOperator(app);
  const { secret } = (await boss.post('me/totp')).body;
  const totp = await codeAt(secret);
  const confirmed = await boss.post('me/totp/confirm', { code: totp });
  expect(confirmed.status).toBe(200);
  const helper = await makeOperator(app, { name: 'helper', role: 'support' });
  const { secret: pending } = (await helper.post('me/totp')).body;
  const invitation = await invite(app, { name: 'newcomer', role: 'viewer' });
  const made = await boss.post('keys', { name: 'nightly', role: 'viewer' });
  expect(made.status).toBe(201);
  const webhook = await boss.post('webhooks', { url: 'https://203.0.113.9/', events: ['zone.down'] });
  const rotated = await boss.post(`webhooks/${webhook.body.id}/secret`);
  expect(rotated.status).toBe(200);
  const page = (await boss.get('players?q=Journey')).body.players[0];
  const reset = await boss.post(`players/${page.player_id}/reset_password`, { reason: 'forgotten' });
  expect(reset.status).toBe(200);
  const recovery = confirmed.body.recovery_codes as string[];
  return {
    long: {
      OPERATOR_PASSWORD,
      ...{
        operatorSecret: secret,
        pending,
        invitation,
        key: made.body.key,
        webhookSecret: webhook.body.secret,
        newWebhookSecret: rotated.body.secret,
        temporary: reset.body.temporary_password,
      },
      session: valueIn(boss.cookie),
      otherSession: valueIn(helper.cookie),
      ...Object.fromEntries(recovery.map((code, index) => [`recovery code ${index}`, code])),
      ...Object.fromEntries(
        recovery.map((code, index) => [`recovery code ${index}, plain`, code.replaceAll('-', '')]),
      ),
    },
    short: { totp },
  };
}

describeOnEngines('a stolen database', (engine) => {
  test('when hashes are sealed and every kind of login was used, then no column of any table lets a thief log in', async () => {
    const app = await startForumApp(await engine.freshUrl(), settings);
    const [players, operators] = [await playersJourney(app), await operatorsJourney(app)];
    const secrets = {
      long: { ...players.long, ...operators.long },
      short: { ...players.short, ...operators.short },
    };
    for (const [what, secret] of Object.entries(secrets.long))
      expect([what, typeof secret]).toEqual([what, 'string']);
    await app.features.history.flush?.();
    const cells = await dumpOf(app.db);
    const tables = new Set(cells.map(({ table }) => table));
    for (const filled of 'player verify two_factor recovery_code operator operator_session operator_key webhook entry_ticket forum_ticket forum_account player_connect_threeparty audit revoked_token'.split(
      ' ',
    ))
      expect([...tables]).toContain(filled);
    expect(readableIn(cells, secrets)).toEqual([]);

    // Planted secrets are found, in every form that can be reversed without a key.
    const planted = (value: string) => readableIn([{ table: 'chat', column: 'content', value }], secrets);
    for (const [what, secret] of Object.entries(secrets.long)) {
      expect(planted(`x${secret}x`)).toContain(`chat.content: ${what}`);
      expect(planted(Buffer.from(secret).toString('hex').toUpperCase())).toContain(`chat.content: ${what}`);
      expect(planted(`"${Buffer.from(secret).toString('base64')}"`)).toContain(`chat.content: ${what}`);
    }
    for (const [what, secret] of Object.entries(secrets.short)) {
      expect(planted(secret)).toEqual([`chat.content: ${what}`]);
      expect(planted(createHash('sha256').update(secret).digest('hex'))).toEqual([`chat.content: ${what}`]);
    }
    expect(planted(legacyHash('of somebody else'))).toEqual(['chat.content: an md5 hash']);
    await app.db.kysely
      .updateTable('player')
      .set({ password_hash: legacyHash('x') })
      .where('account', '=', 'Journey')
      .execute();
    expect(readableIn(await dumpOf(app.db), secrets)).toEqual(['player.password_hash: an md5 hash']);
  });
});
