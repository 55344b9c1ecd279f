import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { Refusal } from '../refusal.ts';

const derive = promisify(argon2);

const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;

/**
 * Upper bound of concurrent hashes. Each takes 19 MiB and one core for about 30 ms, and a login storm must not take all cores.
 */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 32;

export interface Argon2Passwords {
  /** Returns a PHC string. */
  hash(password: string): Promise<string>;
  /** Returns false without a stored hash, after the same time. */
  matches(password: string, stored: string | null | undefined): Promise<boolean>;
}

export function createArgon2Passwords(): Argon2Passwords {
  const limited = bulkhead(MAX_AT_ONCE, MAX_WAITING);

  async function tagOf(password: string, nonce: Buffer): Promise<Buffer> {
    const message = Buffer.from(password.normalize('NFKC'));
    try {
      return await limited.execute(() =>
        derive('argon2id', { message, nonce, tagLength: TAG_BYTES, ...COST }),
      );
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new Refusal('too_many_attempts', { retryAfter: 1 });
      throw error;
    }
  }

  return {
    async hash(password) {
      const nonce = randomBytes(16);
      return PREFIX + [nonce, await tagOf(password, nonce)].map(unpadded).join('$');
    },
    async matches(password, stored) {
      const [nonce, tag] = parse(stored ?? '') ?? [];
      const computed = await tagOf(password, nonce ?? Buffer.alloc(16));
      return timingSafeEqual(computed, tag ?? Buffer.alloc(TAG_BYTES)) && tag !== undefined;
    },
  };
}

const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

function parse(stored: string): [nonce: Buffer, tag: Buffer] | undefined {
  if (!stored.startsWith(PREFIX)) return undefined;
  const [nonce, tag] = stored
    .slice(PREFIX.length)
    .split('$')
    .map((part) => Buffer.from(part, 'base64'));
  return nonce && tag?.length === TAG_BYTES ? [nonce, tag] : undefined;
}
