import { createHmac, hash, randomInt } from 'node:crypto';
import { extractParams, verifySolution } from 'altcha-lib/v1';
import type { Payload } from 'altcha-lib/v1/types';
import { Refusal } from '../refusal.ts';
import { blockOf } from './addresses.ts';
import { timingSafeEqualText } from './keyed-hash.ts';
import { randomId } from './random-id.ts';
import type { Limiter, LimiterFactory } from './throttle.ts';

export interface ProofOfWorkSettings {
  readonly mode: 'off' | 'pressure' | 'always';
  /** Requests per minute from one address block that need no proof. */
  readonly pressure: number;
  /** Requests per minute from all addresses that need no proof. */
  readonly pressure_total: number;
  /** Upper bound of the number a client has to find. */
  readonly max_number: number;
}

/** A challenge for a client, with ALTCHA's field names. */
export interface Challenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly salt: string;
  readonly maxnumber: number;
  readonly signature: string;
}

type GuardedRoute = 'login' | 'send_code' | 'register' | 'operator_login';

interface Request {
  readonly address: string;
  /** The header with the solution, if any. */
  readonly challengeSolution: string | undefined;
}

/**
 * Refuses a request without a required proof of work. Returns undefined if there is nothing to check. `isExempt` is called only if
 * a proof would be required.
 */
export type RequireProof = (
  route: GuardedRoute,
  request: Request,
  isExempt?: () => Promise<boolean>,
) => Promise<void> | undefined;

interface ProofOfWorkDeps {
  readonly settings: () => ProofOfWorkSettings;
  /** One key per secret; the first signs. */
  readonly keys: readonly string[];
  readonly limiters: LimiterFactory;
  /** Returns true for the first use of a key across all instances. */
  readonly useOnce: (key: string, lifetimeMs: number) => Promise<boolean>;
}

const ALGORITHM = 'SHA-256';
const LIFETIME_S = 120;
/** So that an address meets the login throttle, which allows 50 wrong logins, before it needs a proof. */
const OPERATOR_LOGINS_PER_REQUEST = 3;
const WINDOW_S = 60;
const MAX_LENGTH = 2048;

const signatureOf = (challenge: string, key: string) =>
  createHmac('sha256', key).update(challenge).digest('hex');

/** Makes each request of a flood cost its sender a second of computing. A single request costs nothing. */
export function createProofOfWork({ settings, keys, limiters, useOnce }: ProofOfWorkDeps): RequireProof {
  const [key] = keys;
  if (key === undefined) throw new TypeError('challenges need a key');
  const countersOf = (name: string, factor = 1) => ({
    byBlock: limiters(name, () => ({ limit: factor * settings().pressure, window: WINDOW_S })),
    inAll: limiters(`${name}_all`, () => ({ limit: settings().pressure_total, window: WINDOW_S })),
  });
  const players = countersOf('challenge');
  const operators = countersOf('operator_challenge', OPERATOR_LOGINS_PER_REQUEST);

  async function isWanted(route: GuardedRoute, address: string): Promise<boolean> {
    if (settings().mode === 'always') return true;
    const { byBlock, inAll } = route === 'operator_login' ? operators : players;
    const over = async (limiter: Limiter, by: string) => (await limiter.hit(by)).over;
    const [block, all] = await Promise.all([over(byBlock, blockOf(address) ?? address), over(inAll, 'all')]);
    return block || all;
  }

  /**
   * Creates a challenge in the library's format. The library's WebCrypto calls take a few hundred microseconds, most of the
   * cost of a refused request, and a flood must be cheap to refuse.
   */
  function newChallenge(route: GuardedRoute): Challenge {
    const maxnumber = settings().max_number;
    const expires = Math.floor(Date.now() / 1000) + LIFETIME_S;
    const salt = `${randomId()}?route=${route}&expires=${expires}&`;
    const challenge = hash('sha256', salt + randomInt(maxnumber));
    return { algorithm: ALGORITHM, challenge, salt, maxnumber, signature: signatureOf(challenge, key ?? '') };
  }

  async function isSolved(route: GuardedRoute, solution: string): Promise<boolean> {
    const payload = readPayload(solution);
    if (!payload || extractParams(payload).route !== route) return false;
    const signer = keys.find((each) =>
      timingSafeEqualText(payload.signature, signatureOf(payload.challenge, each)),
    );
    if (signer === undefined || !(await verifySolution(payload, signer))) return false;
    return useOnce(payload.signature, 2 * LIFETIME_S * 1000);
  }

  async function require(
    route: GuardedRoute,
    { address, challengeSolution }: Request,
    isExempt?: () => Promise<boolean>,
  ): Promise<void> {
    if (!(await isWanted(route, address))) return;
    if (challengeSolution !== undefined && (await isSolved(route, challengeSolution))) return;
    if (await isExempt?.()) return;
    throw new Refusal('challenge_required', { extra: { challenge: newChallenge(route) } });
  }

  return (route, request, isExempt) => {
    const { mode } = settings();
    const isUnguarded = mode === 'off' || (mode === 'pressure' && route === 'login');
    return isUnguarded ? undefined : require(route, request, isExempt);
  };
}

/** Returns only payloads that are safe to pass to the library. */
function readPayload(solution: string): Payload | undefined {
  if (solution.length > MAX_LENGTH) return undefined;
  try {
    const payload = JSON.parse(Buffer.from(solution, 'base64').toString()) as Partial<
      Record<keyof Payload, unknown>
    > | null;
    const { algorithm, challenge, number, salt, signature } = payload ?? {};
    if (algorithm !== ALGORITHM || !Number.isSafeInteger(number)) return undefined;
    if (
      typeof challenge !== 'string' ||
      typeof salt !== 'string' ||
      !/^[0-9a-f]{64}$/.test(String(signature))
    )
      return undefined;
    return { algorithm, challenge, number: Number(number), salt, signature: String(signature) };
  } catch {
    return undefined;
  }
}
