import type { Trx } from '../../db/transaction.ts';
import { refuseField } from '../../refusal.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import { timingSafeEqualText } from '../../security/timing-safe-equal.ts';
import type { CodeStore } from './store.ts';

/** A code that was right. It is used up only in the transaction of what it is for, so a refusal there leaves it good. */
export interface ProvenCode {
  consume(trx: Trx): Promise<void>;
}

export type UseCode = ReturnType<typeof useCode>;

/** Checks a code: it must be the newest for the address, in date by the database's clock, unused, and not tried too often. */
export function useCode({
  codes,
  hash,
  throttle,
}: {
  codes: CodeStore;
  hash: KeyedHash;
  throttle: LoginThrottle;
}) {
  return async (request: { email: string; code: string; address: string }): Promise<ProvenCode> => {
    const proven = await throttle.judgeCode(request.address, async () => {
      const stored = await codes.newest(request.email);
      const tried = stored !== undefined && (await codes.takeTry(stored.id));
      const hashes = hash.all(request.email, request.code);
      if (!tried || !hashes.some((each) => timingSafeEqualText(each, stored.hash))) return undefined;
      await codes.giveTryBack(stored.id);
      return stored;
    });
    if (!proven) throw invalidCode();
    return {
      async consume(trx) {
        if (!(await codes.consume(trx, proven.id))) throw invalidCode();
      },
    };
  };
}

const invalidCode = () => refuseField('invalid_code', 'code');
