import { Refusal } from '../../refusal.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { ProvenCode, TwoFactor } from '../two-factor/two-factor.ts';
import type { AccountStore } from './store.ts';

export interface JudgeCodeParts {
  readonly players: AccountStore;
  readonly twoFactor: TwoFactor;
  readonly throttle: LoginThrottle;
}

interface PresentedCode {
  readonly playerId: number;
  readonly address: string;
  readonly code: string;
}

export type JudgeCode = ReturnType<typeof judgeCode>;

export const playerOwner = (id: number) => ({ kind: 'player', id }) as const;

/** The same answer for wrong, used and expired codes. */
export const wrongCode = () => new Refusal('invalid_credentials', { variant: 'code' });

/**
 * Checks a code of a player's second factor. The attempt is counted before it is judged. `acceptedAs` returns what the code is
 * accepted as, or undefined if it is wrong.
 */
export function judgeCode({ players, twoFactor, throttle }: JudgeCodeParts) {
  return async <T>(
    { playerId, address, code }: PresentedCode,
    acceptedAs: (proven: ProvenCode | undefined) => Promise<T | undefined>,
  ): Promise<T> => {
    const usualAddresses = (await players.findById(playerId))?.usualAddresses ?? [];
    const owner = { subject: String(playerId), address, usualAddresses };
    const accepted = await throttle.judgeOneTimeCode(owner, async () =>
      acceptedAs(await twoFactor.prove(playerOwner(playerId), code)),
    );
    if (accepted === undefined) throw wrongCode();
    return accepted;
  };
}
