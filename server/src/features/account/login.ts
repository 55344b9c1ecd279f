import { MAX_ACCOUNT_LENGTH, type Session } from '@gatehouse/contract';
import { Refusal, refuseInput } from '../../refusal.ts';
import { generationalCache } from '../../runtime/generational-cache.ts';
import { sharedDelay } from '../../runtime/with-timeout.ts';
import { accountKey } from '../../security/account-key.ts';
import { networkOf } from '../../security/addresses.ts';
import { normaliseEmail } from '../codes/send-code.ts';
import type { AccountDeps } from './deps.ts';
import type { Player } from './player-store.ts';
import { openLoginSession, refuseSuspended, type SessionDeps, type Visitor } from './session.ts';

/** Dependencies of a password check. */
type ProofDeps = Pick<AccountDeps, 'players' | 'passwords' | 'recordLogin'> & {
  readonly throttle: Pick<AccountDeps['throttle'], 'judge'>;
};
export type LoginDeps = Pick<AccountDeps, 'throttle' | 'recordEvent'> & ProofDeps & SessionDeps;
export type CountedLoginDeps = ProofDeps &
  SessionDeps &
  Pick<AccountDeps, 'askSecondFactor' | 'limitPlayer' | 'recordEvent'>;

export interface Credentials extends Visitor {
  /** How the history records a wrong password. */
  readonly wrongAs?: 'wrong_current_password';
  readonly account: string;
  readonly password: string;
}

/**
 * Reading an existing row takes about 30 µs longer than finding none. Failed logins are answered after a fixed delay, so timing
 * does not reveal whether the account exists, unless the database takes longer than the delay.
 */
const ANSWER_WRONG_AFTER_MS = 5;
const THROTTLED_ROW_MS = 60_000;
const MIN_THROTTLED = 5000;
const answerWrong = sharedDelay(ANSWER_WRONG_AFTER_MS);

/** Returns the player with this password. An unknown account and a wrong password get the same answer after the same time. */
export function provePassword(deps: ProofDeps) {
  const { players, passwords, throttle, recordLogin } = deps;
  const throttled = generationalCache<string, number>(MIN_THROTTLED);

  /**
   * Resolves an e-mail address to its only account, unless it is also an account name. Without an account, attempts are counted
   * by the normalised address: all spellings of an address share a counter whether or not it has an account.
   */
  async function accountOfEmail(given: string): Promise<{ account: string; subject: string }> {
    const email = normaliseEmail(given);
    const [named, owners] = await Promise.all([players.findByAccount(given), players.findByEmail(email)]);
    const [owner, ...others] = owners;
    const account = (named ?? (others.length === 0 ? owner : undefined))?.account;
    return account === undefined
      ? { account: given, subject: email }
      : { account, subject: accountKey(account) };
  }

  /** Records one row per minute for an account and address. Not awaited, so that its time reveals nothing about the account. */
  function recordThrottled(account: string, visitor: Visitor): void {
    const group = `${accountKey(account)} ${networkOf(visitor.address)}`;
    const now = performance.now();
    if (now - (throttled.get(group) ?? Number.NEGATIVE_INFINITY) < THROTTLED_ROW_MS) return;
    throttled.set(group, now);
    players.findByAccount(account).then(
      (owner) => recordLogin({ playerId: owner?.id, kind: 'refused', code: 'too_many_attempts', ...visitor }),
      () => {},
    );
  }

  return async ({ account: given, password, address, userAgent, wrongAs }: Credentials): Promise<Player> => {
    const answerDelay = answerWrong();
    const { account, subject } = given.includes('@')
      ? await accountOfEmail(given)
      : { account: given, subject: accountKey(given) };
    let owner: Player | undefined;
    const refused = (code: 'invalid_credentials' | 'wrong_current_password' | 'account_suspended') =>
      recordLogin({ playerId: owner?.id, kind: 'refused', code, address, userAgent });
    const judging = throttle.judge({
      subject,
      address,
      find: () => players.findByAccount(account),
      isRight: (found) => {
        owner = found;
        return passwords.matches(password, found, address);
      },
    });
    let player: Player | undefined;
    try {
      player = await judging;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'too_many_attempts')
        recordThrottled(account, { address, userAgent });
      throw error;
    }
    if (!player) {
      refused(wrongAs ?? 'invalid_credentials');
      await answerDelay;
      throw new Refusal('invalid_credentials');
    }
    if (player.ban) refused('account_suspended');
    refuseSuspended(player);
    const renewed = passwords.renew(password, player.passwordHash);
    await (renewed === undefined ? players.sealHash(player) : players.replaceHash(player, renewed));
    return player;
  };
}

export function login(deps: CountedLoginDeps) {
  const prove = provePassword(deps);
  return async (credentials: Credentials): Promise<Session> => {
    refuseLongName(credentials.account);
    const player = await prove(credentials);
    const { address, userAgent } = credentials;
    if (player.twoFactor) await deps.askSecondFactor(player, { kind: 'login', address });
    deps.limitPlayer('login', player.id);
    deps.recordLogin({ playerId: player.id, kind: 'login', address, userAgent });
    return openLoginSession(deps, player, { address, userAgent });
  };
}

/** Refuses names over the limit unless they are e-mail addresses. */
function refuseLongName(account: string): void {
  if (account.length <= MAX_ACCOUNT_LENGTH || account.includes('@')) return;
  if ([...account].length <= MAX_ACCOUNT_LENGTH) return;
  throw refuseInput('account', 'maxLength', { limit: MAX_ACCOUNT_LENGTH });
}
