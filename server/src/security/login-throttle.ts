import { Refusal } from '../refusal.ts';
import { networkOf } from './addresses.ts';
import type { Limit, LimiterFactory, Verdict } from './throttle.ts';

export interface LoginThrottleSettings {
  readonly account_address: Limit;
  readonly address: Limit;
  readonly account: Limit;
}

/** Whose credential is being tried, from where. */
export interface Attempt {
  /** One spelling per identity: the account's key, or `email:` and the address. */
  readonly subject: string;
  readonly address: string;
  /** Addresses the owner is known by: a spread attack must not lock the owner out there. */
  readonly usual: readonly string[];
}

const LEAST_PROVEN = 5000;

/**
 * Failed guesses of passwords, tokens and codes share these counters. A guess is first looked at and then decided on
 * here, right or wrong alike, so of any number of parallel guesses no more than the limit learn whether they are right,
 * and parallel right ones never stand in each other's way.
 */
export interface LoginThrottle {
  /** The guess was wrong: counts it and refuses when it was one too many. */
  failed(attempt: Attempt): Promise<void>;
  /** The guess was right: refuses it all the same when the failures before it used up the limit. */
  succeeded(attempt: Attempt): Promise<void>;
  /** A wrong code: it burns by itself after five tries, so only the address is counted. */
  wrongCode(address: string): Promise<void>;
  /** Refuses an address that has used up its failures. */
  admitAddress(address: string): Promise<void>;
  /** The owner has proven who they are. */
  forget(subject: string, address: string): Promise<void>;
}

export function createLoginThrottle(parts: {
  limiters: LimiterFactory;
  limits: () => LoginThrottleSettings;
  /** Game servers that the operator vouches for ask about everybody; their address says nothing about who guesses. */
  isVouchedFor: (address: string) => boolean;
  refused: (throttle: string) => void;
}): LoginThrottle {
  const pair = parts.limiters('login_pair', () => parts.limits().account_address);
  const address = parts.limiters('login_address', () => parts.limits().address);
  const account = parts.limiters('login_account', () => parts.limits().account);

  function refuseIf(verdict: Verdict, throttle: string): void {
    if (!verdict.over) return;
    parts.refused(throttle);
    throw new Refusal('too_many_attempts', { retryAfter: verdict.retryAfter });
  }

  /** Where owners lately proved who they are; the database knows only where they registered and entered the game. */
  const proven = recentOnes(LEAST_PROVEN);

  function keysOf({ subject, address, usual }: Attempt) {
    const network = networkOf(address);
    const pairKey = `${network} ${subject}`;
    const isUsual = () => proven.has(pairKey) || usual.some((known) => networkOf(known) === network);
    return { subject, network, pairKey, isVouchedFor: parts.isVouchedFor(address), isUsual };
  }

  return {
    async failed(attempt) {
      const { subject, network, pairKey, isVouchedFor, isUsual } = keysOf(attempt);
      // An address that is used up leaves no further traces: names made up by the thousand cost no memory.
      if (!isVouchedFor) refuseIf(await address.peek(network), 'address');
      // In this order and no further than the first refusal: one address alone cannot use up an account's hour.
      refuseIf(await pair.hit(pairKey), 'account_address');
      if (!isVouchedFor) refuseIf(await address.hit(network), 'address');
      const verdict = await account.hit(subject);
      if (!isUsual()) refuseIf(verdict, 'account');
    },
    async succeeded(attempt) {
      const { subject, network, pairKey, isVouchedFor, isUsual } = keysOf(attempt);
      // All at once: the counters may be in another process or on another machine.
      const [ofPair, ofAddress, ofAccount] = await Promise.all([
        pair.peek(pairKey),
        isVouchedFor ? undefined : address.peek(network),
        account.peek(subject),
      ]);
      refuseIf(ofPair, 'account_address');
      if (ofAddress) refuseIf(ofAddress, 'address');
      if (!isUsual()) refuseIf(ofAccount, 'account');
      proven.add(pairKey);
      if (ofPair.counted > 0) await pair.clear(pairKey);
    },
    async wrongCode(from) {
      refuseIf(await address.hit(networkOf(from)), 'address');
    },
    async admitAddress(from) {
      refuseIf(await address.peek(networkOf(from)), 'address');
    },
    forget: (subject, from) => pair.clear(`${networkOf(from)} ${subject}`),
  };
}

/** Remembers at least so many of the latest, at most twice as many. Forgets half at once: one by one costs far more. */
function recentOnes(least: number) {
  let [newer, older] = [new Set<string>(), new Set<string>()];
  return {
    has: (key: string) => newer.has(key) || older.has(key),
    add(key: string): void {
      newer.add(key);
      if (newer.size >= least) [newer, older] = [new Set(), newer];
    },
  };
}
