import { Refusal } from '../refusal.ts';
import { generationalCache } from '../runtime/generational-cache.ts';
import { blockOf, isUsualAddress, networkOf } from './addresses.ts';
import { type Admission, attemptQueue } from './attempt-queue.ts';
import type { AttemptStore, Claim, Outcome, Over } from './attempt-store.ts';
import { type Limit, UNLIMITED } from './throttle.ts';

export interface LoginThrottleSettings {
  readonly account_address: Limit;
  readonly address: Limit;
  readonly account: Limit;
}

/** A password or token presented for an account. */
export interface Guess<Owner> {
  /** The account's key. */
  readonly subject: string;
  readonly address: string;
  /** Reads the owner that the guess is compared with. */
  readonly find: () => Promise<Owner | undefined>;
  readonly isRight: (owner: Owner | undefined) => boolean | Promise<boolean>;
}

interface WithUsualAddresses {
  /** Addresses the owner usually connects from: a distributed attack must not lock the owner out there. */
  readonly usualAddresses: readonly string[];
}

/** The owner of a one-time code, and the address it is presented from. */
export interface CodeOwner extends WithUsualAddresses {
  readonly subject: string;
  readonly address: string;
}

/**
 * Guesses of passwords, tokens and codes share these counters. Every attempt is counted before it is judged, right or wrong, so
 * that a burst cannot exceed the limit. A right one is uncounted.
 */
export interface LoginThrottle {
  /** Returns the owner if the guess is right, undefined if it is wrong. Beyond a limit, refuses without judging. */
  judge<Owner extends WithUsualAddresses>(guess: Guess<Owner>): Promise<Owner | undefined>;
  /**
   * Like `judge` for a code, counted by address and by address block. A `prove` that also acts on the code calls `refuseLate`
   * before that; otherwise its end must be in time.
   */
  judgeCode<Proof>(address: string, prove: Prove<Proof>): Promise<Proof | undefined>;
  /** Like `judge` for a code of an account's second factor, also counted by account and address. */
  judgeOneTimeCode<Proof>(
    owner: CodeOwner,
    prove: () => Promise<Proof | undefined>,
  ): Promise<Proof | undefined>;
  /**
   * Counts a wrong token from a game server by account only: it presents the tokens of all players, so its address does not
   * identify the guesser.
   */
  countWrong(subject: string): Promise<void>;
  /** Clears the wrong attempts at an account: in total, and from each of these addresses. */
  unlock(owner: {
    readonly subject: string;
    readonly playerId: number;
    readonly addresses: readonly string[];
  }): Promise<void>;
  /** Clears the wrong attempts from an address whose owner has been authenticated. */
  forget(subject: string, address: string): Promise<void>;
}

type Prove<Proof> = (refuseLate: () => void) => Promise<Proof | undefined>;

const MIN_PROVEN = 5000;
/** Limits wrong second-factor codes for one account from one address, for all purposes together. */
const ONE_TIME_CODES: Limit = { limit: 10, window: 900 };
/** Upper bound from admission to judging. Later, a shared store may have freed the places, as if the process had ended. */
const JUDGE_WITHIN_MS = 15_000;

export function createLoginThrottle(parts: {
  attempts: AttemptStore;
  attemptPatienceMs?: number | undefined;
  limits: () => LoginThrottleSettings;
  /** Wrong codes from one address block. */
  wrongCodes: () => Limit;
  /**
   * Reports whether the operator configured the address as a game server. Such servers log players in, so the address does not
   * identify the guesser.
   */
  isExempt: (address: string) => boolean;
  refused: (throttle: string) => void;
  /** Attempts are counted per scope; players and operators have separate counters. */
  scope?: 'login' | 'operator_login';
}): LoginThrottle {
  const { scope = 'login' } = parts;
  const queue = attemptQueue(parts.attempts, parts.attemptPatienceMs);
  /** Where owners recently logged in. The database has only the addresses of registration and game entry. */
  const proven = generationalCache<string, true>(MIN_PROVEN);

  const accountId = (subject: string) => `${scope}_account:${subject}`;
  const pairId = (network: string, subject: string) => `${scope}_account_address:${network} ${subject}`;
  const secondFactorAccountId = (subject: string) => `${scope}_second_factor_account:${subject}`;
  const secondFactorId = (network: string, subject: string) => `${scope}_second_factor:${network} ${subject}`;

  function byAddress(network: string): Claim {
    const { limit, window } = parts.limits().address;
    return { id: `${scope}_address:${network}`, limit, window, clearedByRight: false };
  }
  function byBlock(block: string): Claim {
    const { limit, window } = parts.wrongCodes();
    return { id: `${scope}_code_block:${block}`, limit, window, clearedByRight: false };
  }
  function byPair(id: string): Claim {
    const { limit, window } = parts.limits().account_address;
    return { id, limit, window, clearedByRight: true };
  }
  function byAccount(subject: string, isUsual: boolean): Claim {
    const { limit, window } = parts.limits().account;
    return { id: accountId(subject), limit: isUsual ? UNLIMITED : limit, window, clearedByRight: false };
  }

  function byCodeOwner(owner: CodeOwner): Claim[] {
    const { subject, address } = owner;
    const network = networkOf(address);
    const isUsual = isUsualAddress(owner, address);
    const { limit, window } = parts.limits().account;
    const claims = [
      { id: secondFactorId(network, subject), ...ONE_TIME_CODES, clearedByRight: false },
      {
        id: secondFactorAccountId(subject),
        limit: isUsual ? UNLIMITED : limit,
        window,
        clearedByRight: false,
      },
    ];
    return parts.isExempt(address) ? claims : [byAddress(network), ...claims];
  }

  const throttleOf = (id: string) => id.slice(scope.length + 1, id.indexOf(':'));

  function refuse({ id, retryAfter }: Over): never {
    const throttle = scope === 'login' ? throttleOf(id) : id.slice(0, id.indexOf(':'));
    parts.refused(throttle);
    throw new Refusal('too_many_attempts', { retryAfter, throttle });
  }

  function refuseOver(admission: Admission): void {
    if (admission.state === 'over') refuse(admission);
  }

  function refuseLate(admittedAt: number): void {
    if (performance.now() - admittedAt > JUDGE_WITHIN_MS) throw new Refusal('unavailable', { retryAfter: 1 });
  }

  async function judgeProof<Proof>(
    claims: readonly Claim[],
    prove: Prove<Proof>,
  ): Promise<Proof | undefined> {
    const attempt = queue.attempt(claims);
    refuseOver(await queue.admit(attempt));
    const admittedAt = performance.now();
    let outcome: Outcome = 'undecided';
    try {
      let isInTime = false;
      const judged = () => {
        refuseLate(admittedAt);
        isInTime = true;
      };
      const proof = await prove(judged);
      if (!isInTime) judged();
      outcome = proof === undefined ? 'wrong' : 'right';
      return proof;
    } finally {
      queue.settle(attempt, outcome);
    }
  }

  return {
    async judge({ subject, address, find, isRight }) {
      const network = networkOf(address);
      const pair = pairId(network, subject);
      // In this order, and counted only if all have a free place: an exhausted address leaves no traces, so thousands of
      // made-up names cost no memory, and one address cannot exhaust an account's limit.
      const isExempt = parts.isExempt(address);
      const attemptOf = (isUsual: boolean) => {
        const byOwner = [byPair(pair), byAccount(subject, isUsual)];
        return queue.attempt(isExempt ? byOwner : [byAddress(network), ...byOwner]);
      };
      const isProven = proven.get(pair) === true;
      let attempt = attemptOf(isProven);
      let admission = queue.admit(attempt);
      let finding: ReturnType<typeof find> | undefined;
      if (admission instanceof Promise) {
        // Read while waiting; discarded if the attempt is refused.
        finding = find();
        finding.catch(() => {});
        admission = await admission;
      }
      if (admission.state === 'over' && throttleOf(admission.id) === 'account') {
        finding ??= find();
        if (!isUsualAddress(await finding, address)) refuse(admission);
        attempt = attemptOf(true);
        admission = await queue.admit(attempt);
      }
      refuseOver(admission);
      const admittedAt = performance.now();
      let outcome: Outcome = 'undecided';
      try {
        const owner = await (finding ?? find());
        refuseLate(admittedAt);
        const right = isRight(owner);
        outcome = (typeof right === 'boolean' ? right : await right) ? 'right' : 'wrong';
        if (outcome === 'wrong') return undefined;
        if (!isProven) proven.set(pair, true);
        return owner;
      } finally {
        queue.settle(attempt, outcome);
      }
    },
    judgeCode: (address, prove) =>
      judgeProof([byAddress(networkOf(address)), byBlock(blockOf(address) ?? address)], prove),
    judgeOneTimeCode: (owner, prove) => judgeProof(byCodeOwner(owner), prove),
    async countWrong(subject) {
      const attempt = queue.attempt([byAccount(subject, false)]);
      refuseOver(await queue.admit(attempt));
      queue.settle(attempt, 'wrong');
    },
    async unlock({ subject, playerId, addresses }) {
      const owner = String(playerId);
      const networks = [...new Set(addresses.map(networkOf))];
      const ids = networks.flatMap((network) => [pairId(network, subject), secondFactorId(network, owner)]);
      await Promise.all([accountId(subject), secondFactorAccountId(owner), ...ids].map(queue.clear));
    },
    forget: async (subject, address) => queue.clear(pairId(networkOf(address), subject)),
  };
}
