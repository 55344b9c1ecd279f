import type { Session } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { Refusal, refuseField } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { ErasedNameStore } from '../account/erased-name-store.ts';
import { refuseReserved } from '../account/policy.ts';
import type { BindingStore } from '../forum/store.ts';
import { type Owner, refOf } from './owner.ts';
import { type RenewParts, renewSession } from './renew-session.ts';
import { refuseOver } from './sign-out-everywhere.ts';
import type { OwnAccountStore } from './store.ts';

export interface ChooseNameParts extends RenewParts {
  readonly own: Pick<OwnAccountStore, 'details' | 'rename'>;
  readonly bindings: Pick<BindingStore, 'madeAccount'>;
  readonly erasedNames: Pick<ErasedNameStore, 'has' | 'add'>;
  readonly settings: LiveSettings;
  /** Limits tries, because each reveals whether a name is taken. */
  readonly nameLimit: Limiter;
}

/** Lets the owner of an account made by a forum login choose its name, once. */
export function chooseName(parts: ChooseNameParts) {
  const { own, bindings, erasedNames, settings, nameLimit } = parts;
  const renew = renewSession(parts);

  async function refuseChosen(playerId: number): Promise<void> {
    const [details, madeByForum] = await Promise.all([own.details(playerId), bindings.madeAccount(playerId)]);
    if (!madeByForum || details?.nameChosenAt !== null)
      throw new Refusal('already_bound', { variant: 'name' });
  }

  return async (owner: Owner, account: string): Promise<Session> => {
    await refuseChosen(owner.playerId);
    await refuseOver(nameLimit, owner);
    refuseReserved(account, settings.current.auth.reserved_accounts);
    const isOtherName = accountKey(account) !== accountKey(owner.account);
    const change = async (trx: Trx) => {
      const renamed = await own.rename(trx, refOf(owner), account);
      if (renamed === 'taken' || (isOtherName && (await erasedNames.has(trx, account))))
        throw refuseField('account_taken', 'account');
      // Reserve the old name: its next holder would get the roles that the game keeps under it.
      if (renamed && isOtherName) await erasedNames.add(trx, owner.account);
      return renamed;
    };
    return renew(owner, { change, isChanged: (player) => player.account === account });
  };
}
