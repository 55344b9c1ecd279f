import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { deleteInBatches } from '../src/db/delete-in-batches.ts';
import { PASSWORD, startTestApp } from './support/test-app.ts';

const auth = { jwt_secret: 'one-secret-for-both-instances-0123456789' };

describeByTier('logout', (engine) => {
  test('when a player logs out, then this token is refused here immediately, elsewhere soon, after a restart too, and no other token is', async () => {
    const url = await engine.freshUrl();
    const [here, there] = [await startTestApp(url, { auth }), await startTestApp(url, { auth })];
    const { token } = await here.register('leaving');
    const { token: other } = (await there.post('/api/login', { account: 'leaving', password: PASSWORD }))
      .body;
    for (const app of [here, there]) expect((await app.get('/api/bind', { token })).status).toBe(200);

    const answer = await here.send('POST', '/api/logout', { token });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const refused = { status: 401, body: { code: 'invalid_token' } };
    expect(await here.get('/api/bind', { token })).toMatchObject(refused);
    expect(await here.post('/api/check', { account: 'leaving', token })).toMatchObject(refused);
    expect(await here.post('/api/logout', {}, { token })).toMatchObject(refused);
    await expect.poll(async () => (await there.get('/api/bind', { token })).status).toBe(401);
    expect((await there.post('/api/check', { account: 'leaving', token })).status).toBe(401);

    await here.stop();
    const again = await startTestApp(url, { auth });
    expect((await again.get('/api/bind', { token })).status).toBe(401);
    for (const app of [again, there]) expect((await app.get('/api/bind', { token: other })).status).toBe(200);
  });

  test('when the token would have expired, then its row is deleted', async () => {
    const app = await startTestApp(await engine.freshUrl(), { auth });
    const { token } = await app.register('leaving');
    await app.post('/api/logout', {}, { token });
    const rows = () => app.db.kysely.selectFrom('revoked_token').selectAll().execute();
    const [row] = await rows();
    expect(row?.expires_at).toBeGreaterThan(Date.now() + 23 * 3600_000);
    await deleteInBatches(app.features.logout.sweeps ?? []);
    expect(await rows()).toHaveLength(1);
    await app.db.kysely.updateTable('revoked_token').set({ expires_at: 1 }).execute();
    await deleteInBatches(app.features.logout.sweeps ?? []);
    expect(await rows()).toEqual([]);
  });

  test('when a player logs in and out repeatedly, then the logouts per minute are limited', async () => {
    const app = await startTestApp(await engine.freshUrl(), { auth });
    await app.register('restless');
    const { id } = await app.db.kysely.selectFrom('player').select('id').executeTakeFirstOrThrow();
    const statuses = [];
    for (let round = 0; round < 61; round++) {
      const { token } = app.security.tokens.issue({ playerId: id, account: 'restless', version: 0 });
      statuses.push((await app.send('POST', '/api/logout', { token })).status);
    }
    expect(statuses).toEqual([...Array(60).fill(204), 429]);
  });
});
