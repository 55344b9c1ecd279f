import type { CodePurpose } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { refuseField } from '../../refusal.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import { timingSafeEqualText } from '../../security/timing-safe-equal.ts';
import type { CodeStore, StoredCode } from './store.ts';
import { codeCaller, type WrongCodes } from './wrong-codes.ts';

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
