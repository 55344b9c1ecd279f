import type { CodePurpose } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { refuseField } from '../../refusal.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import { timingSafeEqualText } from '../../security/timing-safe-equal.ts';
import type { CodeStore, StoredCode } from './store.ts';
import { codeCaller, type WrongCodes } from './wrong-codes.ts';

/** A code that was right. It is used up only in the transaction of what it is for, so a refusal there leaves it good. */
export interface ProvenCode {
  consume(trx: Trx): Promise<void>;
}

interface PresentedCode {
  readonly email: string;
  readonly code: string;
  /** What it is presented for; a code for anything else is as good as none. */
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

/** Checks a code: it must be the newest for the address, in date by the database's clock, unused, and not tried too often. */
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
