import { Refusal } from '../../refusal.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { VerifiedToken } from '../../security/tokens.ts';
import type { RecordLogin } from '../history/record-login.ts';
import type { NotifyPlayer, Origin } from '../notices/notify-player.ts';
import { type JudgeCodeParts, judgeCode, playerOwner, wrongCode } from './judge-code.ts';
import { type LoginParts, provePassword, type Visitor } from './login.ts';

export interface OwnTotpParts extends JudgeCodeParts, Pick<LoginParts, 'passwords'> {
  readonly recordLogin: RecordLogin;
  /** Each beginning is a write: counted by player. */
  readonly totpLimit: Limiter;
  readonly notifyPlayer: NotifyPlayer;
}

/** The player, as authenticated. */
interface Self {
  readonly playerId: number;
  readonly account: string;
  readonly session: VerifiedToken;
}

/** What a player does with their own second factor. */
export function ownTotp(parts: OwnTotpParts) {
  const { players, twoFactor, throttle, totpLimit, notifyPlayer } = parts;
  const prove = provePassword(parts);
  const judge = judgeCode(parts);

  return {
    async begin({ playerId, account }: Self) {
      const { over, retryAfter } = await totpLimit.hit(String(playerId));
      if (over) throw new Refusal('too_many_attempts', { retryAfter });
      return twoFactor.begin(playerOwner(playerId), account);
    },

    /** Ends every token but the one it is called with: whoever has another has shown no code. */
    async confirm({ playerId, session }: Self, code: string, { address, language }: Origin) {
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
        },
        wasApplied: () => twoFactor.isOn(owner),
      });
      notifyPlayer({ playerId, notice: { kind: 'two_factor_on' }, address, language });
      return { recovery_codes: [...confirmation.recoveryCodes] };
    },

    async remove(
      { playerId, account }: Self,
      { password, code }: { password: string; code: string },
      { address, userAgent, language }: Visitor & Origin,
    ): Promise<void> {
      await prove({ account, password, address, userAgent });
      const proven = await judge({ playerId, code, address }, async (each) => each);
      const owner = playerOwner(playerId);
      await players.allOrNothing({
        async work(trx) {
          if (!(await proven.use(trx))) throw wrongCode();
          await twoFactor.remove(trx, owner);
        },
        wasApplied: async () => !(await twoFactor.isOn(owner)),
      });
      notifyPlayer({ playerId, notice: { kind: 'two_factor_off' }, address, language });
    },
  };
}
