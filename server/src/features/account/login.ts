import type { Session } from '@gatehouse/contract';
import { Refusal } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { Passwords } from '../../security/passwords.ts';
import { openSession, refuseSuspended, type SessionParts } from './session.ts';
import type { AccountStore, Player } from './store.ts';

export interface LoginParts extends SessionParts {
  readonly players: AccountStore;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
}

export interface Credentials {
  readonly account: string;
  readonly password: string;
  readonly address: string;
}

/** Finds the player whose password this is; an unknown account and a wrong password look the same, and take as long. */
export function provePassword({ players, passwords, throttle }: Omit<LoginParts, keyof SessionParts>) {
  return async ({ account, password, address }: Credentials): Promise<Player> => {
    const player = await throttle.judge({
      subject: accountKey(account),
      address,
      find: () => players.findByAccount(account),
      isRight: (found) => passwords.matches(password, found?.passwordHash),
    });
    if (!player) throw new Refusal('invalid_credentials');
    refuseSuspended(player);
    return player;
  };
}

export function login(parts: LoginParts) {
  const prove = provePassword(parts);
  return async (credentials: Credentials): Promise<Session> => openSession(parts, await prove(credentials));
}
