import { Refusal } from '../../refusal.ts';
import { provePassword } from '../account/login.ts';
import { judgeCode, playerOwner, wrongCode } from '../account/second-factor.ts';
import type { OwnAccountDeps, Owner } from './owner.ts';
import { refuseOver } from './sessions.ts';

/** Players' actions on their own second factor. */
export function ownTotp(deps: OwnAccountDeps) {
  const { players, twoFactor, throttle, requirePassword, totpLimit, notifyPlayer, recordEvent } = deps;
  const prove = provePassword(deps);
  const judge = judgeCode(deps);

  return {
    /** Requires the password, so that a stolen session cannot lock the owner out. */
    async begin(owner: Owner, password: string | undefined) {
      await refuseOver(totpLimit, owner);
      await requirePassword(owner, { field: 'password', password });
      return twoFactor.begin(playerOwner(owner.playerId), owner.account);
    },

    /** Ends every token except the session's own: the holders of the others have not presented a code. */
    async confirm({ playerId, session, address, userAgent, language }: Owner, code: string) {
      const owner = playerOwner(playerId);
      const confirmation = await throttle.judgeOneTimeCode(
        { subject: String(playerId), address, usualAddresses: [] },
        () => twoFactor.confirm(owner, code),
      );
      if (!confirmation) throw wrongCode();
      await players.allOrNothing({
        async work(trx) {
          if (!(await confirmation.apply(trx))) throw wrongCode();
          if (!(await players.endOtherTokens(trx, playerId, session))) throw new Refusal('invalid_token');
          await recordEvent(trx, { playerId, kind: 'two_factor_on', address, userAgent });
        },
        wasApplied: () => twoFactor.isOn(owner),
      });
      notifyPlayer({ playerId, notice: { kind: 'two_factor_on' }, address, language });
      return { recovery_codes: [...confirmation.recoveryCodes] };
    },

    /** Replaces the recovery codes. Requires a code, so that a stolen session cannot get codes of its own. */
    async renewRecoveryCodes({ playerId, address, userAgent, language }: Owner, code: string) {
      const owner = playerOwner(playerId);
      const proven = await judge({ playerId, code, address, userAgent }, async (each) => each);
      const renewal = twoFactor.newRecoveryCodes(owner);
      await players.allOrNothing({
        async work(trx) {
          if (!(await proven.use(trx))) throw wrongCode();
          await renewal.apply(trx);
          await recordEvent(trx, { playerId, kind: 'recovery_codes', address, userAgent });
        },
        // If the answer is lost, nobody knows the codes; the player requests new ones.
        wasApplied: async () => false,
      });
      notifyPlayer({ playerId, notice: { kind: 'recovery_codes' }, address, language });
      return { recovery_codes: [...renewal.recoveryCodes] };
    },

    async remove(
      { playerId, account, address, userAgent, language }: Owner,
      { password, code }: { readonly password: string; readonly code: string },
    ): Promise<void> {
      await prove({ account, password, address, userAgent, wrongAs: 'wrong_current_password' });
      const proven = await judge({ playerId, code, address, userAgent }, async (each) => each);
      const owner = playerOwner(playerId);
      await players.allOrNothing({
        async work(trx) {
          if (!(await proven.use(trx))) throw wrongCode();
          await twoFactor.remove(trx, owner);
          await recordEvent(trx, { playerId, kind: 'two_factor_off', address, userAgent });
        },
        wasApplied: async () => !(await twoFactor.isOn(owner)),
      });
      notifyPlayer({ playerId, notice: { kind: 'two_factor_off' }, address, language });
    },
  };
}
