import type { CodePurpose } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { Refusal, refuseField } from '../../refusal.ts';
import { dayIn } from '../../runtime/time.ts';
import { networkOf } from '../../security/addresses.ts';
import { type KeyedHash, timingSafeEqualText } from '../../security/keyed-hash.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import type { Budget, BudgetStore, CodeOwner, CodeStore, StoredCode } from './store.ts';

/** A right code. It is used up in the transaction it authorizes, so that a refusal leaves it valid. */
export interface ProvenCode {
  consume(trx: Trx): Promise<void>;
}

interface PresentedCode {
  readonly email: string;
  readonly code: string;
  /** The purpose it is presented for. A code for another purpose is refused. */
  readonly purpose: CodePurpose;
  readonly address: string;
}

interface UseCodeParts {
  readonly codes: CodeStore;
  readonly wrong: WrongCodes;
  readonly hash: KeyedHash;
  readonly throttle: LoginThrottle;
}

export type UseCode = ReturnType<typeof useCode>;

/** Checks a code: it must be the newest for the address, unexpired by the database clock, unused, and within its tries. */
export function useCode({ codes, wrong, hash, throttle }: UseCodeParts) {
  async function prove(presented: PresentedCode): Promise<StoredCode | undefined> {
    const { email, code, purpose } = presented;
    const [stored, caller] = await Promise.all([codes.newest(email, purpose), codeCaller(codes, presented)]);
    const { isUsual } = caller;
    if (!stored || !(await codes.takeTry(stored.id, isUsual))) return undefined;
    const takeBack = await wrong.count(caller);
    if (!hash.all(email, code).some((each) => timingSafeEqualText(each, stored.hash))) return undefined;
    await Promise.all([codes.giveTryBack(stored.id, isUsual), takeBack()]);
    return stored;
  }

  return async (presented: PresentedCode): Promise<ProvenCode> => {
    const proven = await throttle.judgeCode(presented.address, () => prove(presented));
    if (!proven) throw invalidCode();
    return {
      async consume(trx) {
        if (!(await codes.consume(trx, proven.id))) throw invalidCode();
      },
    };
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

export async function codeCaller(
  codes: Pick<CodeStore, 'ownersOf'>,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<CodeCaller> {
  const owners = await codes.ownersOf(email);
  const network = networkOf(address);
  const isUsual = owners.some(({ addresses }) => addresses.some((known) => networkOf(known) === network));
  return { email, address, owners, isUsual };
}

export interface WrongCodes {
  /**
   * Counts a try before it is judged. Refuses it if the day's budget is used up. Returns a function that takes the count back.
   */
  count(caller: CodeCaller): Promise<() => Promise<void>>;
  /** Refuses while no code of this address would be judged. */
  refuseUsedUp(caller: CodeCaller): Promise<void>;
  /** Deletes up to `limit` counts of previous days. Returns how many. */
  deleteOldest(limit: number): Promise<number>;
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
}): WrongCodes {
  const { budget, settings, notifyPlayer } = parts;
  const today = () => dayIn(settings.current.time_zone);
  const limit = () => settings.current.code_throttle.wrong_per_email;

  function budgetOf({ email, isUsual }: CodeCaller) {
    const { day, secondsLeft } = today();
    return { of: { day, email, column: isUsual ? 'usual_n' : 'n' } as const, secondsLeft };
  }

  /** Returns the refusal, and notifies the owner once a day. */
  async function refusal(used: Budget, retryAfter: number, { owners, address, isUsual }: CodeCaller) {
    const [owner] = owners;
    if (owner && !isUsual && (await budget.markTold(used)))
      notifyPlayer({ playerId: owner.playerId, notice: { kind: 'wrong_codes' }, address });
    parts.refused('wrong_codes');
    return new Refusal('too_many_attempts', { retryAfter, throttle: 'wrong_codes' });
  }

  return {
    async count(caller) {
      const { of, secondsLeft } = budgetOf(caller);
      if (!(await budget.take(of, limit()))) throw await refusal(of, secondsLeft, caller);
      return () => budget.giveBack(of);
    },
    async refuseUsedUp(caller) {
      const { of, secondsLeft } = budgetOf(caller);
      if ((await budget.counted(of)) >= limit()) throw await refusal(of, secondsLeft, caller);
    },
    deleteOldest: (limit) => budget.deleteBefore(today().day, limit),
  };
}
