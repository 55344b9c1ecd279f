import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { startTestApp } from './support/test-app.ts';

describeByTier('readiness', (engine) => {
  test('when the database answers but the accounts are gone, then it is not ready, and comes back with them', async () => {
    const app = await startTestApp(await engine.freshUrl());
    expect((await app.get('/api/health/ready')).status).toBe(200);
    await app.db.kysely.schema.alterTable('player').renameTo('player_away').execute();
    const { status, body } = await app.get('/api/health/ready');
    expect({ status, body }).toMatchObject({ status: 503, body: { checks: { database: 'failed' } } });
    expect((await app.post('/api/login', { account: 'Nobody', password: 'whatever' })).status).toBe(500);
    await app.db.kysely.schema.alterTable('player_away').renameTo('player').execute();
    expect((await app.get('/api/health/ready')).status).toBe(200);
  });
});
