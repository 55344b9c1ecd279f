import type { CodePurpose } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { Refusal, refuseField } from '../../refusal.ts';
import { dayIn } from '../../runtime/time.ts';
import { networkOf } from '../../security/addresses.ts';
import { type KeyedHash, timingSafeEqualText } from '../../security/keyed-hash.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import type { BudgetStore, CodeOwner, CodeStore } from './store.ts';

/** A right code. It is used up in the transaction it authorizes, so that a refusal leaves it valid. */
export interface ProvenCode {
  /** Whether the e-mail address has an account. */
  readonly hasOwner: boolean;
  consume(trx: Trx): Promise<void>;
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
  readonly wrong: WrongCodes;
  readonly hash: KeyedHash;
  readonly throttle: LoginThrottle;
}

export type UseCode = ReturnType<typeof useCode>;

/**
 * Checks a code and runs what it authorizes. It must be the newest for the address, unexpired by the database clock, unused, and
 * within its tries. A try is counted before the check. It is taken back with the code's use, or if that is refused.
 */
export function useCode({ codes, wrong, hash, throttle }: UseCodeDeps) {
  async function prove(presented: PresentedCode) {
    const { email, code, purpose } = presented;
    const counted = await codes.transaction(async (trx) => {
      const stored = await codes.newest(trx, email, purpose);
      if (!stored) return undefined;
      const caller = callerOf(presented, stored.owners);
      if (!(await codes.takeTry(trx, stored.id, caller.isUsual))) return undefined;
      return { stored, caller, isWithinBudget: await wrong.count(trx, caller) };
    });
    if (!counted) return undefined;
    const { stored, caller, isWithinBudget } = counted;
    if (!isWithinBudget) throw await wrong.refusal(caller);
    const isRight = hash.all(email, code).some((each) => timingSafeEqualText(each, stored.hash));
    return isRight ? { id: stored.id, caller } : undefined;
  }

  return async <T>(presented: PresentedCode, use: (code: ProvenCode) => Promise<T>): Promise<T> => {
    const proven = await throttle.judgeCode(presented.address, () => prove(presented));
    if (!proven) throw invalidCode();
    const { id, caller } = proven;
    try {
      return await use({
        hasOwner: caller.owners.length > 0,
        async consume(trx) {
          if (!(await codes.consume(trx, id))) throw invalidCode();
          await wrong.takeBack(trx, caller);
        },
      });
    } catch (error) {
      // If the database is down, the try stays counted.
      await codes
        .transaction(async (trx) => {
          await codes.giveTryBack(trx, id, caller.isUsual);
          await wrong.takeBack(trx, caller);
        })
        .catch(() => {});
      throw error;
    }
  };
}

const invalidCode = () => refuseField('invalid_code', 'code');

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
    /** Counts a try before it is judged. Returns false if the day's budget is used up. */
    count: (trx: Trx, caller: CodeCaller) => budget.take(trx, budgetOf(caller).of, limit()),
    /** Takes back the count of a right code. */
    takeBack: (trx: Trx, caller: CodeCaller) => budget.giveBack(trx, budgetOf(caller).of),
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
