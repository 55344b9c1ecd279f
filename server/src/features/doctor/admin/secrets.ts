import type { Settings } from '../../../settings/schema.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const SHORT = 16;
const TELLING = 8;
const ENOUGH_BITS = 100;

/** Judges secrets by their length and variety; never shows one. */
export function examineSecrets({ auth, game_servers, gm }: Settings): Finding[] {
  return [passwordKey(auth.password_key), ...jwtSecrets(auth), ...others({ game_servers, gm })];
}

function passwordKey(key: string): Finding {
  if (key.length >= SHORT) return ok('auth.password_key', 'long enough');
  return warning(
    'auth.password_key',
    `has fewer than ${SHORT} characters`,
    'old hashes depend on it: keep it if accounts were created with it, and keep the database private; choose a longer one for a new installation',
  );
}

function jwtSecrets({ jwt_secret, password_key }: Settings['auth']): Finding[] {
  const judged = jwt_secret.map((secret) => judgeJwtSecret(secret, password_key));
  const bad = judged.filter(({ status }) => status !== 'ok');
  return bad.length > 0 ? bad : judged.slice(0, 1);
}

function judgeJwtSecret(jwt_secret: string, password_key: string): Finding {
  const fix =
    'create one with: openssl rand -base64 48, and put it in front of this one in a list for a day; otherwise everyone has to log in again';
  // A longer text may contain a very short key by chance.
  const contained = password_key.length >= TELLING && jwt_secret.includes(password_key);
  if (contained || password_key.includes(jwt_secret))
    return failed('auth.jwt_secret', 'is the password key, or contains it', fix);
  if (bitsOf(jwt_secret) < ENOUGH_BITS)
    return failed('auth.jwt_secret', 'is easy to guess: anyone who guesses it can log in as any player', fix);
  return ok('auth.jwt_secret', 'strong');
}

function others({ game_servers, gm }: Pick<Settings, 'game_servers' | 'gm'>): Finding[] {
  const keys = { 'game_servers.key': game_servers.key, 'gm.key': gm.key };
  return Object.entries(keys).flatMap(([check, key]) => {
    if (key === undefined) return [];
    if (key.length >= SHORT) return [ok(check, 'long enough')];
    return [
      warning(
        check,
        `has fewer than ${SHORT} characters`,
        'create one with: openssl rand -hex 24, and set it on the game servers too',
      ),
    ];
  });
}

/** Returns the Shannon entropy of the characters: generous to sentences, strict on repetition. */
function bitsOf(secret: string): number {
  const counts = new Map<string, number>();
  for (const char of secret) counts.set(char, (counts.get(char) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / secret.length);
  return -secret.length * shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}
