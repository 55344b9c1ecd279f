import { startZone } from '@gatehouse/simulators/zone';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { addPlayers, addZones } from './money/environment.ts';
import { launchService, startInstance } from './money/instances.ts';

const SECRET = 'a-secret-of-more-than-thirty-two-bytes';

// `money/` does this at every failpoint, on MariaDB, with failing GM interfaces.
test.each([
  ['after the claim and before the GM call', 'claimed', { state: 'failed', taken: 0 }],
  ['after the GM answer', 'answered', { state: 'done', taken: 100 }],
] as const)(
  'when the service is killed %s, then the withdrawal is neither lost nor sent twice',
  async (_moment, dieAt, expected) => {
    const folder = tempDir('withdraw-kill');
    const gamesUrl = `sqlite:${folder}`;
    const zone = await startZone({ serverId: 1, database: gamesUrl, receipts: true });
    onTestFinished(() => zone.stop());
    const databaseUrl = `sqlite:${folder}/gatehouse.db`;
    const db = await openDatabase(databaseUrl);
    onTestFinished(() => db.close());
    await migrate(db);
    await addZones(db, [zone]);
    const [player] = await addPlayers({ db, zones: [zone], roles: 1, secret: SECRET });
    const instance = await startInstance(
      launchService({
        database: { url: databaseUrl },
        auth: { password_key: 'key', jwt_secret: SECRET },
        zones: { database_url: gamesUrl },
        gm: { timeout: 3, receipt_operation: 10031, receipt_after: 1 },
        log: { level: 'warn' },
      }),
      '/api/health/ready',
      dieAt,
    );
    onTestFinished(() => instance.kill());
    const withdraw = fetch(`${instance.url}/api/game/withdraw`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${player?.token}` },
      body: JSON.stringify({ server_id: 1, role: player?.roleName, amount: 100 }),
    });
    await expect(withdraw).rejects.toThrow();
    await instance.ended();
    // Recovery waits until nobody can still be working on it.
    await db.kysely
      .updateTable('withdraw')
      .set(({ eb }) => ({ updated_at: eb(db.now, '-', 60_000) }))
      .execute();
    await instance.start();

    const state = async () => (await db.kysely.selectFrom('withdraw').select('state').execute())[0]?.state;
    await expect.poll(state, { timeout: 60_000 }).toBe(expected.state);
    const taken = zone.journal().filter(({ deducted }) => deducted);
    expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBe(expected.taken);
  },
  180_000,
);
