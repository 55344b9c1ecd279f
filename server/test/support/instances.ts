import { afterEach } from 'vitest';
import { type Gatehouse, startGatehouse } from '../../../test-support/gatehouse.ts';
import { createDatabase } from '../../../test-support/mariadb.ts';
import { sharedMariadbUrl } from '../../../test-support/shared-servers.ts';
import type { Db } from '../../src/db/open.ts';
import { createKeyedHash } from '../../src/security/keyed-hash.ts';
import { type Client, clientFrom, type Reply } from './client.ts';
import { freshAddress } from './test-app.ts';

export const INSTANCE_AUTH = {
  password_key: 'old-generation-key',
  jwt_secret: 'one-secret-for-all-instances-0123456789',
};
export const CODE = '123456';

/** Three service processes on one MariaDB, stopped after each test. */
export function instanceSuite() {
  let running: Gatehouse[] = [];
  afterEach(async () => {
    await Promise.all(running.map((each) => each.stop()));
    running = [];
  });

  return {
    running: () => running,
    async startThree(
      settings: Record<string, unknown>,
    ): Promise<{ url: string; ask: (instance: number, address?: string) => Client }> {
      const url = await createDatabase(sharedMariadbUrl());
      const shared = { trust_proxy: ['127.0.0.1'], auth: INSTANCE_AUTH, database: { url }, ...settings };
      running = await Promise.all([0, 1, 2].map(() => startGatehouse({ settings: shared })));
      const ask = (instance: number, address = freshAddress()) =>
        clientFrom(running[instance % 3]?.url ?? '', address);
      return { url, ask };
    },
  };
}

export const count = (answers: readonly Reply[], status: number) =>
  answers.filter((each) => each.status === status).length;

/** Inserts a valid code for each address, as if mailed. */
export async function insertCodes(db: Db, emails: readonly string[]): Promise<void> {
  const hash = createKeyedHash([INSTANCE_AUTH.jwt_secret], 'verification code');
  for (const email of emails) {
    await db.kysely
      .insertInto('verify')
      .values(({ eb }) => ({ email, code_hash: hash(email, CODE), expires_at: eb(db.now, '+', 600_000) }))
      .execute();
  }
}
