import type { CodePurpose } from '@gatehouse/contract';
import type { Trx, VerifiableChange } from '../../db/transaction.ts';
import { Refusal, refuseField } from '../../refusal.ts';
import { dayIn } from '../../runtime/time.ts';
import { networkOf } from '../../security/addresses.ts';
import { type KeyedHash, timingSafeEqualText } from '../../security/keyed-hash.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import type { BudgetStore, CodeOwner, CodeStore } from './store.ts';

/** What a right code authorizes: the rest of the transaction that uses it up, so that a refusal leaves it valid. */
interface AuthorizedChange<T> {
  work(trx: Trx): Promise<T>;
  wasApplied: VerifiableChange['wasApplied'];
}

interface PresentedCode {
  readonly email: string;
  readonly code: string;
  /** The purpose it is presented for. A code for another purpose is refused. */
  readonly purpose: CodePurpose;
  readonly address: string;
}

interface UseCodeDeps {
  readonly codes: CodeStore;
  readonly wrong: Pick<WrongCodes, 'day' | 'limit' | 'count' | 'isWithinBudget' | 'refusal'>;
  readonly hash: KeyedHash;
  readonly throttle: Pick<LoginThrottle, 'judgeCode'>;
}

export type UseCode = ReturnType<typeof useCode>;

/**
 * Checks a code and makes the change that it authorizes. The code must be the newest for the address, unexpired by the database
 * clock, unused, and within its tries. `prepare` does what is slow before the transaction, for a right code only.
 */
export function useCode({ codes, wrong, hash, throttle }: UseCodeDeps) {
  /**
   * Uses up the code and makes the change, or returns undefined if the code is not valid any longer. The lock of the code's row orders
   * parallel guesses: a right one is accepted only while fewer wrong ones are counted than the limits allow.
   */
  async function apply<T>({ id, caller }: FoundCode, change: AuthorizedChange<T>, refuseLate: () => void) {
    let used: { value: T } | undefined;
    await codes.allOrNothing({
      async work(trx) {
        used = undefined;
        if (!(await codes.consume(trx, id, caller.isUsual))) return;
        if (!(await wrong.isWithinBudget(trx, caller))) throw new BudgetUsedUp();
        refuseLate();
        used = { value: await change.work(trx) };
      },
      wasApplied: async () => used === undefined || change.wasApplied(),
    });
    return used;
  }

  async function countWrong({ id, caller }: FoundCode): Promise<void> {
    const isWithinBudget = await codes.transaction(
      async (trx) => !(await codes.takeTry(trx, id, caller.isUsual)) || (await wrong.count(trx, caller)),
    );
    if (!isWithinBudget) throw await wrong.refusal(caller);
  }

  return async <T>(
    presented: PresentedCode,
    prepare: (code: ProvenCode) => Promise<AuthorizedChange<T>>,
  ): Promise<T> => {
    const { email, code, purpose, address } = presented;
    let failure: unknown;
    const judged = await throttle.judgeCode(address, async (refuseLate) => {
      const stored = await codes.newest(email, purpose, wrong.day());
      if (!stored) return undefined;
      const { owners } = stored;
      const found = { id: stored.id, caller: callerOf(presented, owners) };
      const { isUsual } = found.caller;
      const isRight = hash.all(email, code).some((each) => timingSafeEqualText(each, stored.hash));
      // Beyond the limits a right guess takes the time of a wrong one.
      if (isRight && stored.hasTries(isUsual) && stored.wrongTries(isUsual) < wrong.limit()) {
        try {
          const change = await prepare({ hasOwner: owners.length > 0 }).catch(refusedChange);
          return await apply(found, change, refuseLate);
        } catch (error) {
          // The change is refused, not the code.
          if (error instanceof Refusal) return { refusal: error };
          if (!(error instanceof BudgetUsedUp)) throw error;
        }
      }
      // Counted by address even if the database cannot count it.
      await countWrong(found).catch((error) => {
        failure = error;
      });
      return undefined;
    });
    if (failure !== undefined) throw failure;
    if (!judged) throw refuseField('invalid_code', 'code');
    if ('refusal' in judged) throw judged.refusal;
    return judged.value;
  };
}

interface ProvenCode {
  /** Whether the e-mail address has an account. */
  readonly hasOwner: boolean;
}

/** The newest code of an address, and who presents it. */
interface FoundCode {
  readonly id: number;
  readonly caller: CodeCaller;
}

/** Throws the refusal of a change when its code is used up: before, it would reveal which of too many guesses is right. */
function refusedChange(refusal: unknown): AuthorizedChange<never> {
  if (!(refusal instanceof Refusal)) throw refusal;
  return { work: () => Promise.reject(refusal), wasApplied: async () => false };
}

/** The address of a right code has no wrong tries left today. Rolls the transaction back. */
class BudgetUsedUp extends Error {}

/** The caller who presents or requests a code for an e-mail address. */
export interface CodeCaller {
  readonly email: string;
  readonly address: string;
  /** The accounts of the e-mail address. */
  readonly owners: readonly CodeOwner[];
  /** Whether the address is a usual one of these accounts. */
  readonly isUsual: boolean;
}

/** Returns who requests or presents a code, given the accounts of the e-mail address. */
export function callerOf(
  { email, address }: { readonly email: string; readonly address: string },
  owners: readonly CodeOwner[],
): CodeCaller {
  const network = networkOf(address);
  const isUsual = owners.some(({ addresses }) => addresses.some((known) => networkOf(known) === network));
  return { email, address, owners, isUsual };
}

/**
 * Five tries void a code, but a new one can be requested after a minute, so all codes of an address share a daily budget of
 * wrong tries. The account's usual addresses have a separate budget, so that strangers cannot keep the owner from a new
 * password.
 */
export function wrongCodes(parts: {
  readonly budget: BudgetStore;
  readonly settings: LiveSettings;
  readonly refused: (throttle: string) => void;
  readonly notifyPlayer: NotifyPlayer;
}) {
  const { budget, settings, notifyPlayer } = parts;
  const today = () => dayIn(settings.current.time_zone);
  const limit = () => settings.current.code_throttle.wrong_per_email;

  function budgetOf({ email, isUsual }: CodeCaller) {
    const { day, secondsLeft } = today();
    return { of: { day, email, column: isUsual ? 'usual_n' : 'n' } as const, secondsLeft };
  }

  /** Notifies the owner once a day. */
  async function refusal(caller: CodeCaller): Promise<Refusal> {
    const { owners, address, isUsual } = caller;
    const { of, secondsLeft: retryAfter } = budgetOf(caller);
    const [owner] = owners;
    if (owner && !isUsual && (await budget.markTold(of)))
      notifyPlayer({ playerId: owner.playerId, notice: { kind: 'wrong_codes' }, address });
    parts.refused('wrong_codes');
    return new Refusal('too_many_attempts', { retryAfter, throttle: 'wrong_codes' });
  }

  return {
    day: () => today().day,
    limit,
    /** Counts a wrong try. Returns false if the day's budget is used up. */
    count: (trx: Trx, caller: CodeCaller) => budget.take(trx, budgetOf(caller).of, limit()),
    isWithinBudget: async (trx: Trx, caller: CodeCaller) =>
      (await budget.counted(budgetOf(caller).of, trx)) < limit(),
    /** Returns the refusal of a try beyond the budget. */
    refusal,
    /** Refuses if no code of this address would be checked. */
    async refuseUsedUp(caller: CodeCaller) {
      if ((await budget.counted(budgetOf(caller).of)) >= limit()) throw await refusal(caller);
    },
    /** Deletes up to `limit` counts of previous days. Returns how many. */
    deleteOldest: (limit: number) => budget.deleteBefore(today().day, limit),
  };
}

export type WrongCodes = ReturnType<typeof wrongCodes>;
