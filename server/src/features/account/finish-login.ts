import type { Session } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import type { RecordLogin } from '../history/record-login.ts';
import type { NotifyPlayer, Origin } from '../notices/notify-player.ts';
import type { ChallengeIdentity, ChallengeStore, LoginChallenge } from '../two-factor/challenge-store.ts';
import type { ProvenCode } from '../two-factor/two-factor.ts';
import { hashOfChallenge } from './ask-second-factor.ts';
import { type JudgeCodeParts, playerOwner, wrongCode } from './judge-code.ts';
import type { Visitor } from './login.ts';
import { openLoginSession, refuseSuspended, type SessionParts } from './session.ts';
import type { Player } from './store.ts';

export interface FinishLoginParts extends SessionParts, JudgeCodeParts {
  readonly challenges: ChallengeStore;
  readonly recordLogin: RecordLogin;
  readonly notifyPlayer: NotifyPlayer;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
  /** Binds an identity to a player. Returns false if either is already bound to another. */
  readonly bindIdentity: (trx: Trx, identity: ChallengeIdentity, playerId: number) => Promise<boolean>;
}

/** Finishes a login with the second factor's code. */
export function finishLogin(parts: FinishLoginParts) {
  const { players, challenges, twoFactor, throttle, transaction, recordLogin, bindIdentity } = parts;
  const { notifyPlayer } = parts;

  /** Returns the unfinished login and its player. A change that ended the player's tokens has also ended the login. */
  async function begun(hash: string): Promise<{ login: LoginChallenge; player: Player }> {
    const login = await challenges.find(hash);
    const player = login && (await players.findById(login.playerId));
    if (!player?.twoFactor || player.tokenVersion !== login?.tokenVersion) throw wrongCode();
    refuseSuspended(player);
    return { login, player };
  }

  /** Uses up code and challenge together, with the pending binding. Returns false if the code was used meanwhile. */
  function use(code: ProvenCode, hash: string, { identity, playerId }: LoginChallenge): Promise<boolean> {
    return transaction(async (trx) => {
      if (!(await code.use(trx))) return false;
      if (!(await challenges.use(trx, hash))) throw wrongCode();
      if (identity && !(await bindIdentity(trx, identity, playerId))) throw new Refusal('already_bound');
      return true;
    });
  }

  return async (
    { challenge, code }: { challenge: string; code: string },
    { address, userAgent, language }: Visitor & Origin,
  ): Promise<Session> => {
    const hash = hashOfChallenge(challenge);
    const { login, player } = await begun(hash);
    const { id: playerId, usualAddresses } = player;
    const counted = { subject: String(playerId), address, usualAddresses };
    const isRight = await throttle.judgeOneTimeCode(counted, async () => {
      if (!(await challenges.takeTry(hash))) throw wrongCode();
      const proven = await twoFactor.prove(playerOwner(playerId), code);
      return (proven && (await use(proven, hash, login))) || undefined;
    });
    if (!isRight) {
      recordLogin({ playerId, kind: 'refused', code: 'invalid_credentials', address, userAgent });
      throw wrongCode();
    }
    const session = await openLoginSession(parts, player);
    recordLogin({ playerId, kind: login.kind, address, userAgent });
    if (login.identity) {
      const notice = { kind: 'linked', provider: login.identity.provider } as const;
      notifyPlayer({ playerId, notice, address, language });
    }
    return session;
  };
}
