import { expect, test, vi } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { serial, text } from '../src/db/ddl.ts';
import { migrate } from '../src/db/migrate.ts';
import { migrations } from '../src/db/migrations/index.ts';
import type { Migration } from '../src/db/migrations/migration.ts';
import { openDatabase } from '../src/db/open.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { PASSWORD, startTestApp } from './support/test-app.ts';

/** What a later version may add. */
const next: Migration = {
  name: '9999-next',
  tables: [{ name: 'badge', columns: { id: serial, label: text(20) } }],
  statements: () => [
    'ALTER TABLE player ADD COLUMN honour INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE chat ADD COLUMN flagged INTEGER NULL',
  ],
};

describeByTier('one version behind the database', (engine) => {
  test('when a later version has migrated the database, then this one starts and works on it', async () => {
    const url = await engine.freshUrl();
    const db = await openDatabase(url);
    await migrate(db, [...migrations, next]);
    const password_hash = createPasswords('old-generation-key').hash(PASSWORD);
    await db.kysely.insertInto('player').values({ account: 'Veteran', password_hash }).execute();
    await db.kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'One', address: '127.0.0.1', port: 1 })
      .execute();

    const app = await startTestApp(url);
    const login = await app.post('/api/login', { account: 'Veteran', password: PASSWORD });
    expect(login.status).toBe(200);
    const { token } = login.body;
    await vi.waitFor(async () => {
      const entered = await app.post('/api/enter_game', { server_id: 1 }, { token });
      expect(entered.status).toBe(200);
    }, 40_000);
    expect(
      (
        await app.post('/api/report/chat', {
          server_id: 1,
          account: 'Veteran',
          role: 'Old Hand',
          channel: 'world',
          content: 'hello',
        })
      ).status,
    ).toBe(200);
    await db.close();
  });
});
