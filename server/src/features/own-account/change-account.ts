import type { Session } from '@gatehouse/contract';
import type { OwnAccount } from '@gatehouse/contract/own-account';
import type { Trx } from '../../db/transaction.ts';
import { Refusal, refuseField } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import { refuseWeak } from '../../security/password-policy.ts';
import { refuseDisposable, refuseReserved } from '../account/create-player.ts';
import { normaliseEmail } from '../codes/send-code.ts';
import { type OwnAccountDeps, type Owner, refOf, showAccount } from './owner.ts';
import { refuseOver, renewSession } from './sessions.ts';

/** Changes the e-mail address to one that a code was sent to and that no other account has. Notifies the old address. */
export function changeEmail(deps: OwnAccountDeps) {
  const { own, players, requirePassword, useCode, settings, notifyPlayer, recordEvent } = deps;
  const show = showAccount(deps);

  return async (
    owner: Owner,
    form: { readonly email: string; readonly code: string; readonly password?: string },
  ): Promise<OwnAccount> => {
    const { playerId, address, userAgent, language } = owner;
    const email = normaliseEmail(form.email);
    await requirePassword(owner, { field: 'password', password: form.password });
    if (settings.current.mail.refuse_disposable) await refuseDisposable(email);
    const old = await useCode({ email, code: form.code, purpose: 'email', address }, async () => {
      // Accounts in old data may share an address, but a change must not create such a case.
      if ((await players.findByEmail(email)).some(({ id }) => id !== playerId)) throw emailTaken();
      const before = (await own.details(playerId))?.email;
      return {
        async work(trx) {
          const changed = await own.setEmail(trx, refOf(owner), email);
          if (changed === 'taken') throw emailTaken();
          if (!changed) throw new Refusal('invalid_token');
          await players.markReset(trx, playerId);
          await recordEvent(trx, { playerId, kind: 'email', detail: before, address, userAgent });
          return before;
        },
        wasApplied: async () => (await own.details(playerId))?.email === email,
      };
    });
    if (old && old !== email)
      notifyPlayer({ playerId, notice: { kind: 'email', email }, address, language, to: old });
    return show(playerId);
  };
}

const emailTaken = () => refuseField('email_taken', 'email');

/** Changes the password. Ends the md5 token and every other JWT and ticket. */
export function changePassword(deps: OwnAccountDeps) {
  const { own, requirePassword, passwords, passwordLimit, settings, notifyPlayer } = deps;
  const renew = renewSession(deps);
  return async (
    owner: Owner,
    { old_password, password }: { readonly old_password?: string; readonly password: string },
  ): Promise<Session> => {
    const proven = await requirePassword(owner, { field: 'old_password', password: old_password });
    if (password === old_password) throw refuseField('weak_password', 'password', { variant: 'same' });
    await refuseWeak(password, owner.account, settings.current.auth);
    await refuseOver(passwordLimit, owner);
    const passwordHash = await passwords.hash(password);
    const session = await renew(owner, {
      change: (trx) => own.setPassword(trx, refOf(owner), passwordHash),
      isChanged: (player) => player.passwordHash === passwordHash,
      event: { kind: 'password' },
      proven,
    });
    const { playerId, address, language } = owner;
    notifyPlayer({ playerId, notice: { kind: 'password' }, address, language });
    return session;
  };
}

/** Lets the owner of an account made by a forum login choose its name, once. */
export function chooseName(deps: OwnAccountDeps) {
  const { own, bindings, erasedNames, settings, nameLimit } = deps;
  const renew = renewSession(deps);

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
    return renew(owner, {
      change,
      isChanged: (player) => player.account === account,
      event: { kind: 'name', detail: owner.account },
    });
  };
}
