import { createHash, randomBytes } from 'node:crypto';
import type { Session } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import { networkOf } from '../../security/addresses.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { RecordLogin } from '../history/login-recorder.ts';
import type { NotifyPlayer, Origin } from '../notices/notify-player.ts';
import type { ChallengeIdentity, ChallengeStore, LoginChallenge } from '../two-factor/challenge-store.ts';
import type { ProvenCode, TwoFactor } from '../two-factor/two-factor.ts';
import { openLoginSession, refuseSuspended, type SessionParts, type Visitor } from './session.ts';
import type { AccountStore, Player } from './store.ts';

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

export interface AskParts {
  readonly challenges: ChallengeStore;
  /** Counts challenges by player and address, because each is a row for some minutes. */
  readonly challengeLimit: Limiter;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

interface UnfinishedLogin {
  readonly kind: 'login' | 'forum';
  readonly address: string;
  /** An identity to bind to the player after the code is accepted, not before. */
  readonly identity?: ChallengeIdentity;
  /** Further writes in the transaction that stores the challenge. */
  readonly extraWrites?: (trx: Trx) => Promise<void>;
}

export type AskSecondFactor = (player: Player, login: UnfinishedLogin) => Promise<never>;

/** Challenges are random bytes that cannot be guessed, so they need no slow hash. */
export const hashOfChallenge = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Refuses a login that lacks the second factor's code, with a challenge to finish the login with. */
export function askSecondFactor({ challenges, challengeLimit, transaction }: AskParts): AskSecondFactor {
  return async ({ id, tokenVersion }, { kind, address, identity, extraWrites }) => {
    const { over, retryAfter } = await challengeLimit.hit(`${networkOf(address)} ${id}`);
    if (over) throw new Refusal('too_many_attempts', { retryAfter });
    const challenge = randomBytes(32).toString('base64url');
    const row = { hash: hashOfChallenge(challenge), playerId: id, tokenVersion, kind, identity };
    await transaction(async (trx) => {
      await extraWrites?.(trx);
      await challenges.add(trx, row);
    });
    throw new Refusal('second_factor_required', {
      ...(kind === 'forum' && { variant: 'code' }),
      extra: { challenge },
    });
  };
}
