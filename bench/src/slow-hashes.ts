import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createPlayerPasswords } from '@gatehouse/server/security/player-passwords';
import { hashPassword } from 'better-auth/crypto';
import { createConnection } from 'mysql2/promise';
import { hashOf, PASSWORD_KEY, passwordOf } from './test-data.ts';

const derive = promisify(argon2);

/** The cost of the service's own argon2id, which OWASP recommends. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const tagOf = (password: string, nonce: Buffer) =>
  derive('argon2id', { message: Buffer.from(password), nonce, ...COST });

/** Compares a password with `salt:hash` in hexadecimal. */
export async function matchesArgon2(password: string, stored: string): Promise<boolean> {
  const [salt = '', tag = ''] = stored.split(':');
  const computed = await tagOf(password, Buffer.from(salt, 'hex'));
  return computed.length === tag.length / 2 && timingSafeEqual(computed, Buffer.from(tag, 'hex'));
}

/** Gives the service's players argon2id hashes. Otherwise the first login of each would replace its md5 hash, which doubles the cost. */
export async function hashForGatehouse(uri: string, players: number): Promise<void> {
  const { hashOfMd5 } = createPlayerPasswords({ password_key: PASSWORD_KEY, password_hash: 'argon2id' });
  const connection = await createConnection({ uri });
  for (let id = 1; id <= players; id++)
    await connection.execute(`UPDATE player SET password_hash = '', password_argon2 = ? WHERE id = ?`, [
      await hashOfMd5(hashOf(id)),
      id,
    ]);
  await connection.end();
}

/** Gives the players of the express stack argon2id hashes. */
export async function hashForExpress(uri: string, players: number): Promise<void> {
  const connection = await createConnection({ uri });
  for (let id = 1; id <= players; id++) {
    const salt = randomBytes(16);
    const tag = await tagOf(passwordOf(id), salt);
    const stored = `${salt.toString('hex')}:${tag.toString('hex')}`;
    await connection.execute('UPDATE player SET password_argon2 = ? WHERE id = ?', [stored, id]);
  }
  await connection.end();
}

/** Gives better-auth's users hashes of its own kind. */
export async function hashForBetterAuth(uri: string, players: number): Promise<void> {
  const connection = await createConnection({ uri });
  for (let id = 1; id <= players; id++)
    await connection.execute('UPDATE account SET password = ? WHERE id = ?', [
      await hashPassword(passwordOf(id)),
      `a${id}`,
    ]);
  await connection.end();
}
