import type { AdminProblem } from '@gatehouse/contract/admin';

type Challenge = Exclude<AdminProblem['challenge'], string | undefined>;

/**
 * Solves the challenge that a login from an unknown address needs while there are very many logins. Returns null if this browser
 * cannot: crypto.subtle exists only on https and localhost.
 */
export async function solveChallenge(challenge: Challenge): Promise<string | null> {
  const { algorithm, challenge: wanted, salt, maxnumber, signature } = challenge;
  if (!globalThis.crypto?.subtle) return null;
  const encoder = new TextEncoder();
  for (let number = 0; number <= maxnumber; number++) {
    const digest = new Uint8Array(await crypto.subtle.digest(algorithm, encoder.encode(salt + number)));
    if (digest.every((byte, index) => byte === Number.parseInt(wanted.slice(2 * index, 2 * index + 2), 16)))
      return btoa(JSON.stringify({ algorithm, challenge: wanted, number, salt, signature }));
  }
  return null;
}
