import type { Session } from '@gatehouse/contract';
import { Refusal } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { Passwords } from '../../security/passwords.ts';
import type { RecordLogin } from '../history/record-login.ts';
import { openSession, refuseSuspended, type SessionParts } from './session.ts';
import type { AccountStore, Player } from './store.ts';

export interface LoginParts extends SessionParts {
  readonly players: AccountStore;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly recordLogin: RecordLogin;
}

/** Where somebody comes from. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface Credentials extends Visitor {
  readonly account: string;
  readonly password: string;
}

/** Finds the player whose password this is; an unknown account and a wrong password look the same, and take as long. */
export function provePassword(parts: Omit<LoginParts, keyof SessionParts>) {
  const { players, passwords, throttle, recordLogin } = parts;
  return async ({ account, password, address, userAgent }: Credentials): Promise<Player> => {
    let owner: Player | undefined;
    const refused = (code: 'invalid_credentials' | 'account_suspended') =>
      recordLogin({ playerId: owner?.id, kind: 'refused', code, address, userAgent });
    const player = await throttle.judge({
      subject: accountKey(account),
      address,
      find: () => players.findByAccount(account),
      isRight: (found) => {
        owner = found;
        return passwords.matches(password, found?.passwordHash);
      },
    });
    if (!player) {
      refused('invalid_credentials');
      throw new Refusal('invalid_credentials');
    }
    if (player.ban) refused('account_suspended');
    refuseSuspended(player);
    return player;
  };
}

export function login(parts: LoginParts) {
  const prove = provePassword(parts);
  return async (credentials: Credentials): Promise<Session> => {
    const player = await prove(credentials);
    const { address, userAgent } = credentials;
    parts.recordLogin({ playerId: player.id, kind: 'login', address, userAgent });
    return openSession(parts, player);
  };
}
