import { Refusal } from '../../../refusal.ts';
import type { UseCode, WithdrawDeps } from '../deps.ts';
import type { Withdrawal } from '../withdrawal.ts';

interface RequestWithCode {
  readonly playerId: number;
  /** Whether the player has a second factor. */
  readonly twoFactor: boolean;
  readonly origin: { readonly address: string };
  readonly body: { readonly code?: string };
}

type Accepted = { readonly useCode?: UseCode; readonly first?: Withdrawal };

/**
 * Requires a code from players with a second factor. A used code is accepted for a repeated request: the first one has already
 * used it, and its answer is returned.
 */
export function requireCode({ judgeCode }: Pick<WithdrawDeps, 'judgeCode'>) {
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
