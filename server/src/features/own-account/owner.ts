import type { OwnAccount } from '@gatehouse/contract/own-account';
import { Refusal, refuseInput } from '../../refusal.ts';
import { timeTextOrNull } from '../../runtime/time.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { VerifiedToken } from '../../security/tokens.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { type LoginDeps, provePassword } from '../account/login.ts';
import type { ErasedNameStore } from '../account/registration-store.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { HasOwnPassword } from '../forum/bindings.ts';
import type { BindingStore } from '../forum/store.ts';
import type { LoginsRecorded } from '../history/login-recorder.ts';
import type { HistoryStore } from '../history/store.ts';
import type { NotifyPlayer, Origin } from '../notices/notify-player.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import type { ExportListsStore } from './export-lists-store.ts';
import type { ExportStore } from './export-store.ts';
import type { OwnAccountStore, OwnRef } from './store.ts';

/** The player who changes their own account, and the origin of the request. */
export interface Owner extends Origin {
  readonly playerId: number;
  readonly account: string;
  readonly session: VerifiedToken;
  readonly twoFactor: boolean;
  readonly userAgent: string | undefined;
}

export const refOf = ({ playerId, session }: Owner): OwnRef => ({
  id: playerId,
  tokenVersion: session.version,
});

export interface RequirePasswordDeps
  extends Pick<LoginDeps, 'players' | 'passwords' | 'throttle' | 'recordLogin'> {
  readonly hasOwnPassword: HasOwnPassword;
}

/**
 * Requires the password again, judged like a login. Returns false if there is none yet, as in an account made by a forum
 * login.
 */
export function requirePassword(deps: RequirePasswordDeps) {
  const prove = provePassword(deps);
  return async (
    { playerId, account, address, userAgent }: Owner,
    given: { readonly field: string; readonly password: string | undefined },
  ): Promise<boolean> => {
    if (!(await deps.hasOwnPassword(playerId))) return false;
    const { field, password } = given;
    if (password === undefined) throw refuseInput(field, 'required');
    await prove({ account, password, address, userAgent, wrongAs: 'wrong_current_password' });
    return true;
  };
}

export type RequirePassword = ReturnType<typeof requirePassword>;

/** Dependencies of the rules of a player's own account. */
export interface OwnAccountDeps extends LoginDeps {
  readonly own: OwnAccountStore;
  readonly twoFactor: TwoFactor;
  readonly bindings: BindingStore;
  readonly erasedNames: ErasedNameStore;
  readonly exporting: ExportStore;
  readonly exportLists: ExportListsStore;
  readonly loginsOf: HistoryStore['loginsOf'];
  readonly loginsRecorded: LoginsRecorded;
  readonly hasOwnPassword: HasOwnPassword;
  readonly requirePassword: RequirePassword;
  readonly useCode: UseCode;
  readonly settings: LiveSettings;
  readonly notifyPlayer: NotifyPlayer;
  readonly signOutLimit: Limiter;
  /** Limits by player, because each change is a hash, a history row and a mail. */
  readonly passwordLimit: Limiter;
  /** Limits by player, because each start of the second factor is a write. */
  readonly totpLimit: Limiter;
  /** Limits tries of a name, because each reveals whether it is taken. */
  readonly nameLimit: Limiter;
  readonly exportLimit: Limiter;
}

export function showAccount(deps: OwnAccountDeps) {
  const { own, players, twoFactor, bindings, hasOwnPassword, loginsRecorded } = deps;
  return async (playerId: number): Promise<OwnAccount> => {
    await loginsRecorded(playerId);
    const totp = { kind: 'player', id: playerId } as const;
    const [details, enabled, has_password, madeByForum, player] = await Promise.all([
      own.details(playerId),
      twoFactor.isOn(totp),
      hasOwnPassword(playerId),
      bindings.madeAccount(playerId),
      players.findById(playerId),
    ]);
    if (!details) throw new Refusal('invalid_token');
    return {
      account: details.account,
      email: details.email || null,
      created_at: timeTextOrNull(details.createdAt || null),
      last_login_at: timeTextOrNull(details.lastLoginAt),
      two_factor: { enabled },
      ...(enabled && { recovery_codes_left: await twoFactor.countRecoveryCodes(totp) }),
      deletion_at: timeTextOrNull(details.deletionAt),
      has_password,
      may_choose_name: madeByForum && details.nameChosenAt === null,
      ...(player?.hasTemporaryPassword && { password_temporary: true as const }),
    };
  };
}
