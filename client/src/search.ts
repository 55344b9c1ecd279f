import { sha256 } from './sha256.ts';

interface Wanted {
  readonly challenge: string;
  readonly salt: string;
  readonly maxnumber: number;
}

/** How many numbers are tried before other work gets a turn: a few milliseconds on a phone. */
const SLICE = 1000;

/** Returns the number whose SHA-256 together with the salt is the challenge; null if there is none. */
export async function search(
  { challenge, salt, maxnumber }: Wanted,
  signal?: AbortSignal,
): Promise<number | null> {
  const encoder = new TextEncoder();
  const wanted = Array.from(
    { length: 8 },
    (_, i) => Number.parseInt(challenge.slice(8 * i, 8 * i + 8), 16) | 0,
  );
  for (let number = 0; number <= maxnumber; number++) {
    if (number % SLICE === 0) {
      await new Promise((resolve) => setTimeout(resolve));
      if (signal?.aborted) return null;
    }
    const hash = sha256(encoder.encode(salt + number));
    if (wanted.every((word, i) => word === hash[i])) return number;
  }
  return null;
}
