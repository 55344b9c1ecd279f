import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { ADDRESS, EMAIL, makePlayer, NAME, settings } from './support/full-player.ts';
import { startTestApp } from './support/test-app.ts';

describeOnEngines('the export of an account', (engine) => {
  test('when it is exported, then one file has data from every table, and no secret', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token, id } = await makePlayer(app);
    const { status, headers, body, text } = await app.get('/api/account/export', { token });
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="account-${id}.json"`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      account: { account: NAME, email: EMAIL, ip: ADDRESS, device: 'Pixel of Wanderer', made_by_forum: true },
      two_factor: { recovery_codes: 1 },
      bindings: [{ provider: 'forum', connect_id: 'connect-4711' }],
      forum_logins: [{ profile_name: NAME }],
      entry_tickets: [{ server_id: 1 }],
      zones: [{ server_id: 1 }],
      unfinished_logins: [{ kind: 'forum', connect_id: 'connect-4711' }],
      withdrawals: [{ id: 'w-1', role: 'Hero', amount: 5, events: [{ to_state: 'done' }] }],
      withdrawal_days: [{ amount: 5 }],
      chat: [{ content: 'I am Wanderer_77' }, { content: 'me too' }],
      wrong_codes: expect.arrayContaining([{ day: '2026-01-01', n: 2 }]),
      notes: [{ text: `${NAME} wrote from ${EMAIL}` }],
      webhook_events: [{ type: 'player.banned', state: 'pending' }],
    });
    expect(body.account.created_at).toMatch(/Z$/);
    expect(body.logins.map(({ kind }: { kind: string }) => kind)).toEqual(['register', 'refused', 'login']);
    expect(body.operator_changes.map(({ action }: { action: string }) => action)).toEqual([
      'player.note',
      'player.set_email',
      'player.set_email',
    ]);
    expect(body.verification_codes.length).toBeGreaterThan(0);
    const { password_hash } = await app.db.kysely
      .selectFrom('player')
      .select('password_hash')
      .executeTakeFirstOrThrow();
    for (const secret of [password_hash, 'sealed', 'c1', 't1', 'e1', 'l1'])
      expect(text).not.toContain(`"${secret}"`);
    // The game's address is not about the player.
    expect(text).not.toContain('10.0.0.5');
    expect(text).not.toContain('somebody_else');
    for (let i = 1; i < 10; i++) await app.get('/api/account/export', { token });
    expect((await app.get('/api/account/export', { token })).body.code).toBe('too_many_attempts');
  });
});

test('when a player has more than 10,000 logins, then the export lists the newest and says so', async () => {
  const app = await startTestApp(freshSqlite(), settings);
  const { token } = await app.register('Traveller');
  await app.features.history.flush();
  const { id } = await app.db.kysely.selectFrom('player').select('id').executeTakeFirstOrThrow();
  // All at one time, before the registration, so that the id decides.
  const rows = Array.from({ length: 10_005 }, (_, index) => ({
    player_id: id,
    at: 5,
    kind: 'login',
    ip: `${index}`,
  }));
  for (let first = 0; first < rows.length; first += 5000)
    await app.db.kysely
      .insertInto('player_login')
      .values(rows.slice(first, first + 5000))
      .execute();
  const { body } = await app.get('/api/account/export', { token });
  expect(body.logins).toHaveLength(10_000);
  expect(body.logins_note).toBe('Only the newest 10000 are listed.');
  expect([body.logins[0].ip, body.logins.at(-1).kind]).toEqual(['6', 'register']);
  expect(body.chat_note).toBeUndefined();
});
