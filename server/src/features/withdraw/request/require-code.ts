import type { Trx } from '../../../db/transaction.ts';
import { Refusal } from '../../../refusal.ts';
import type { Withdrawal } from '../withdrawal.ts';

/** Uses a code up in the transaction that keeps the request; false where it was used meanwhile. */
export type UseCode = (trx: Trx) => Promise<boolean>;

export interface RequireCodeParts {
  /** Judges a code, counted with all others of the player's second factor. */
  readonly judgeCode: <T>(
    presented: { readonly playerId: number; readonly address: string; readonly code: string },
    acceptedAs: (proven: { readonly use: UseCode } | undefined) => Promise<T | undefined>,
  ) => Promise<T>;
}

interface RequestWithCode {
  readonly playerId: number;
  /** Whether the player has a second factor. */
  readonly twoFactor: boolean;
  readonly origin: { readonly address: string };
  readonly body: { readonly code?: string };
}

type Accepted = { readonly useCode?: UseCode; readonly first?: Withdrawal };

/**
 * What a player with a second factor has to add. A code that is used already is right for the same request again: then that
 * came first, and has the answer.
 */
export function requireCode({ judgeCode }: RequireCodeParts) {
  return async <R extends RequestWithCode>(
    request: R,
    findFirst: (request: R) => Promise<Withdrawal | undefined>,
  ): Promise<Accepted> => {
    const { playerId, twoFactor, origin, body } = request;
    if (!twoFactor) return {};
    if (body.code === undefined) throw new Refusal('second_factor_required', { variant: 'code' });
    return judgeCode({ playerId, address: origin.address, code: body.code }, async (proven) => {
      if (proven) return { useCode: proven.use };
      const first = await findFirst(request);
      return first && { first };
    });
  };
}
