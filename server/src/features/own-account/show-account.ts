import type { OwnAccount } from '@gatehouse/contract/own-account';
import { Refusal } from '../../refusal.ts';
import { timeTextOrNull } from '../../runtime/time.ts';
import type { HasOwnPassword } from '../forum/own-password.ts';
import type { BindingStore } from '../forum/store.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import type { OwnAccountStore } from './store.ts';

export interface ShowAccountParts {
  readonly own: Pick<OwnAccountStore, 'details'>;
  readonly twoFactor: Pick<TwoFactor, 'isOn'>;
  readonly bindings: Pick<BindingStore, 'madeAccount'>;
  readonly hasOwnPassword: HasOwnPassword;
}

export function showAccount({ own, twoFactor, bindings, hasOwnPassword }: ShowAccountParts) {
  return async (playerId: number): Promise<OwnAccount> => {
    const [details, enabled, has_password, madeByForum] = await Promise.all([
      own.details(playerId),
      twoFactor.isOn({ kind: 'player', id: playerId }),
      hasOwnPassword(playerId),
      bindings.madeAccount(playerId),
    ]);
    if (!details) throw new Refusal('invalid_token');
    return {
      account: details.account,
      email: details.email || null,
      created_at: timeTextOrNull(details.createdAt || null),
      last_login_at: timeTextOrNull(details.lastLoginAt),
      two_factor: { enabled },
      deletion_at: timeTextOrNull(details.deletionAt),
      has_password,
      may_choose_name: madeByForum && details.nameChosenAt === null,
    };
  };
}
