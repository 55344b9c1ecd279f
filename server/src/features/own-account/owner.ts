import { Refusal } from '../../refusal.ts';
import type { VerifiedToken } from '../../security/tokens.ts';
import { type LoginParts, provePassword } from '../account/login.ts';
import type { HasOwnPassword } from '../forum/own-password.ts';
import type { Origin } from '../notices/notify-player.ts';
import type { OwnRef } from './store.ts';

/** The player who changes their own account, and the origin of the request. */
export interface Owner extends Origin {
  readonly playerId: number;
  readonly account: string;
  readonly session: VerifiedToken;
  readonly userAgent: string | undefined;
}

export const refOf = ({ playerId, session }: Owner): OwnRef => ({
  id: playerId,
  tokenVersion: session.version,
});

export interface RequirePasswordParts
  extends Pick<LoginParts, 'players' | 'passwords' | 'throttle' | 'recordLogin'> {
  readonly hasOwnPassword: HasOwnPassword;
}

/** Requires the password again, judged like a login. An account made by a forum login may not have one yet. */
export function requirePassword(parts: RequirePasswordParts) {
  const prove = provePassword(parts);
  return async (
    { playerId, account, address, userAgent }: Owner,
    given: { readonly field: string; readonly password: string | undefined },
  ): Promise<void> => {
    if (!(await parts.hasOwnPassword(playerId))) return;
    const { field, password } = given;
    if (password === undefined)
      throw new Refusal('invalid_request', { errors: [{ field, message: 'required' }] });
    await prove({ account, password, address, userAgent });
  };
}

export type RequirePassword = ReturnType<typeof requirePassword>;
