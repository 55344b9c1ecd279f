import { createHash, randomBytes } from 'node:crypto';
import type { Session } from '@gatehouse/contract';
import { Refusal } from '../../refusal.ts';
import { networkOf } from '../../security/addresses.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { Origin } from '../notices/notify-player.ts';
import type { LoginChallenge } from '../two-factor/challenge-store.ts';
import type { ProvenCode } from '../two-factor/two-factor.ts';
import type { AccountDeps, AskSecondFactor } from './deps.ts';
import type { Player } from './player-store.ts';
import { openLoginSession, refuseSuspended, type Visitor } from './session.ts';

/** Finishes a login with the second factor's code. */
export function finishLogin(deps: AccountDeps) {
  const { players, challenges, twoFactor, throttle, transaction, recordLogin, bindIdentity } = deps;
  const { notifyPlayer, recordEvent } = deps;

  /** Returns the unfinished login and its player. A change that ended the player's tokens has also ended the login. */
  async function begun(hash: string): Promise<{ login: LoginChallenge; player: Player }> {
    const login = await challenges.find(hash);
    const player = login && (await players.findById(login.playerId));
    if (!player?.twoFactor || player.tokenVersion !== login?.tokenVersion) throw wrongCode();
    refuseSuspended(player);
    return { login, player };
  }

  /** Uses up code and challenge together, with the pending binding. Returns false if the code was used meanwhile. */
  function use(
    code: ProvenCode,
    hash: string,
    { identity, playerId, tokenVersion }: LoginChallenge,
    visitor: Visitor,
  ): Promise<boolean> {
    return transaction(async (trx) => {
      if (identity && !(await players.holdVersion(trx, { id: playerId, tokenVersion }))) throw wrongCode();
      if (!(await code.use(trx))) return false;
      if (!(await challenges.use(trx, hash))) throw wrongCode();
      if (!identity) return true;
      if (!(await bindIdentity(trx, identity, playerId))) throw new Refusal('already_bound');
      await recordEvent(trx, { playerId, kind: 'linked', detail: identity.provider, ...visitor });
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
      return (proven && (await use(proven, hash, login, { address, userAgent }))) || undefined;
    });
    if (!isRight) {
      recordLogin({ playerId, kind: 'refused', code: 'wrong_second_factor', address, userAgent });
      throw wrongCode();
    }
    const session = await openLoginSession(deps, player, { address, userAgent });
    recordLogin({ playerId, kind: login.kind, address, userAgent });
    if (login.identity) {
      const notice = { kind: 'linked', provider: login.identity.provider } as const;
      notifyPlayer({ playerId, notice, address, language });
    }
    return session;
  };
}

export type JudgeCode = ReturnType<typeof judgeCode>;

export const playerOwner = (id: number) => ({ kind: 'player', id }) as const;

/** The same answer for wrong, used and expired codes. */
export const wrongCode = () => new Refusal('invalid_credentials', { variant: 'code' });

/**
 * Checks a code of a player's second factor. The attempt is counted before it is judged. `acceptedAs` returns what the code is
 * accepted as, or undefined if it is wrong.
 */
export function judgeCode({
  players,
  twoFactor,
  throttle,
  recordLogin,
}: Pick<AccountDeps, 'players' | 'twoFactor' | 'throttle' | 'recordLogin'>) {
  return async <T>(
    {
      playerId,
      address,
      userAgent,
      code,
    }: { playerId: number; address: string; userAgent?: string | undefined; code: string },
    acceptedAs: (proven: ProvenCode | undefined) => Promise<T | undefined>,
  ): Promise<T> => {
    const usualAddresses = (await players.findById(playerId))?.usualAddresses ?? [];
    const owner = { subject: String(playerId), address, usualAddresses };
    const accepted = await throttle.judgeOneTimeCode(owner, async () =>
      acceptedAs(await twoFactor.prove(playerOwner(playerId), code)),
    );
    if (accepted === undefined) {
      recordLogin({ playerId, kind: 'refused', code: 'wrong_second_factor', address, userAgent });
      throw wrongCode();
    }
    return accepted;
  };
}

/** Challenges are random bytes that cannot be guessed, so they need no slow hash. */
export const hashOfChallenge = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Refuses a login that lacks the second factor's code, with a challenge to finish the login with. */
export function askSecondFactor({
  challenges,
  challengeLimit,
  transaction,
}: Pick<AccountDeps, 'challenges' | 'transaction'> & { challengeLimit: Limiter }): AskSecondFactor {
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
