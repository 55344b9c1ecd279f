import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '../refusal.ts';

const derive = promisify(argon2);

const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;

/**
 * Upper bound of concurrent hashes. Each takes 19 MiB and one core for about 30 ms, and a login storm must not take all cores.
 */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 32;

interface Argon2Limits {
  readonly atOnce?: number;
  /** Hashes that may wait in each of the two queues. */
  readonly waiting?: number;
  /** Returns the refusal for a full queue. */
  readonly full?: () => Refusal;
}

export function createArgon2Passwords({
  atOnce = MAX_AT_ONCE,
  waiting = MAX_WAITING,
  full = () => new Refusal('too_many_attempts', { retryAfter: 1 }),
}: Argon2Limits = {}) {
  const queue = hashQueue(atOnce, waiting, full);

  function tagOf(password: string, nonce: Buffer, isUsual = false): Promise<Buffer> {
    const message = Buffer.from(password.normalize('NFKC'));
    return queue(isUsual, () => derive('argon2id', { message, nonce, tagLength: TAG_BYTES, ...COST }));
  }

  return {
    /** Returns a PHC string. */
    async hash(password: string, isUsual?: boolean) {
      const nonce = randomBytes(16);
      return PREFIX + [nonce, await tagOf(password, nonce, isUsual)].map(unpadded).join('$');
    },
    /**
     * Returns false without a stored hash, after the same time. A request from an address where the owner has logged in before
     * waits in a separate queue.
     */
    async matches(password: string, stored: string | null | undefined, isUsual?: boolean) {
      const [nonce, tag] = parse(stored ?? '') ?? [];
      const computed = await tagOf(password, nonce ?? Buffer.alloc(16), isUsual);
      return timingSafeEqual(computed, tag ?? Buffer.alloc(TAG_BYTES)) && tag !== undefined;
    },
  };
}

export type Argon2Passwords = ReturnType<typeof createArgon2Passwords>;

/**
 * Runs at most `atOnce` tasks. Tasks for usual addresses have a separate queue, and the two queues take turns, so that a flood
 * from other addresses fills only the other queue.
 */
function hashQueue(atOnce: number, maxWaiting: number, full: () => Refusal) {
  const usual: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  let lastWasUsual = false;

  function startNext(): void {
    const takesUsual = usual.length > 0 && (!lastWasUsual || others.length === 0);
    const start = (takesUsual ? usual : others).shift();
    lastWasUsual = takesUsual;
    if (start) start();
    else running--;
  }

  return async <T>(isUsual: boolean, task: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++;
    else {
      const queue = isUsual ? usual : others;
      if (queue.length >= maxWaiting) throw full();
      await new Promise<void>((start) => queue.push(start));
    }
    try {
      return await task();
    } finally {
      startNext();
    }
  };
}

const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

export const isArgon2Hash = (hash: string) => hash.startsWith(PREFIX);

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

function parse(stored: string): [nonce: Buffer, tag: Buffer] | undefined {
  if (!isArgon2Hash(stored)) return undefined;
  const [nonce, tag] = stored
    .slice(PREFIX.length)
    .split('$')
    .map((part) => Buffer.from(part, 'base64'));
  return nonce && tag?.length === TAG_BYTES ? [nonce, tag] : undefined;
}
