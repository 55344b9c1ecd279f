import { hash } from 'node:crypto';
import { createSigner } from 'fast-jwt';

/** Secrets, names and zones shared by all candidates, fixed so that runs can be compared. */
export const PASSWORD_KEY = 'bench-password-key-0123456789';
export const JWT_SECRET = 'bench-jwt-secret-0123456789abcdef0123456789abcdef';
export const SEAL_KEY = 'bench-seal-key-0123456789abcdef0123456789abcdef';

export const accountOf = (id: number) => `player${String(id).padStart(8, '0')}`;
export const passwordOf = (id: number) => `password-${id}`;
export const emailOf = (id: number) => `${accountOf(id)}@example.com`;
export const hashOf = (id: number) => hash('md5', passwordOf(id) + PASSWORD_KEY, 'hex');

export const ZONES = Array.from({ length: 15 }, (_, index) => ({
  server_id: index + 1,
  name: `Zone ${index + 1} of the old kingdom`,
  address: `10.1.0.${index + 1}`,
  port: 7000 + index,
}));

/** 10,000 blocks, none of which contains the caller. */
export const DENIED = Array.from(
  { length: 10_000 },
  (_, index) => `${11 + (index >> 12)}.${(index >> 4) & 255}.${(index & 15) * 16}.0/24`,
);

/** Number of distinct players that log in within one run, spread over all. */
export const ACTIVE_PLAYERS = 20_000;
/** Fewer for tokens, so that all fit in a verifier's cache. */
export const ACTIVE_TOKENS = 5_000;

/** Fewer still with slow hashes, each of which takes a core for some 30 ms. */
export const SLOW_PLAYERS = 200;

export function activePlayers(players: number, count: number): number[] {
  const step = 7_919; // prime, so that all come up before one repeats
  return Array.from({ length: Math.min(count, players) }, (_, index) => 1 + ((index * step) % players));
}

const sign = createSigner({ key: JWT_SECRET, algorithm: 'HS256' });

/** Signs a token as the service does. */
export function tokenOf(id: number): string {
  const iat = Math.floor(Date.now() / 1000);
  return sign({
    sub: String(id),
    account: accountOf(id),
    ver: 0,
    iat,
    exp: iat + 24 * 3600,
    iss: 'gatehouse',
    jti: `bench-${id}`,
  });
}
