import { randomBytes } from 'node:crypto';

/** Redis outlives a test, and several projects run the same file, so each run has its own names and addresses. */
export const run = randomBytes(5).toString('hex');

let lastBlock = 0;

/** Returns an address in an unused IPv6 /64. */
export function freshBlock(): string {
  lastBlock += 1;
  return `fd${run.slice(0, 2)}:${run.slice(2, 6)}:${run.slice(6)}:${lastBlock.toString(16)}::1`;
}

let lastName = 0;

export function freshName(): string {
  lastName += 1;
  return `p${run}_${lastName}`;
}
