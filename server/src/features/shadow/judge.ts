import { type RefusalCode, routes } from '@gatehouse/contract';
import { validator } from '../../http/validation.ts';
import { Refusal } from '../../refusal.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { PlayerPasswords } from '../../security/player-passwords.ts';
import { type CheckDeps, checkToken } from '../account/check-token.ts';
import { type CountedLoginDeps, login } from '../account/login.ts';
import type { Asked, ShadowRoute } from './exchange.ts';

export interface JudgeDeps extends Pick<CheckDeps, 'players' | 'tokens' | 'settings' | 'tickets'> {
  readonly passwords: PlayerPasswords;
}

export type Verdict = 'accepted' | RefusalCode;

/** Returns our answer to a request of the old service. */
export type Judge = (route: ShadowRoute, asked: Asked) => Promise<Verdict>;

const nothing = async () => {};

/** Judges every attempt and counts none. */
const uncounted: Pick<LoginThrottle, 'judge' | 'countWrong'> = {
  async judge({ find, isRight }) {
    const owner = await find();
    return (await isRight(owner)) ? owner : undefined;
  },
  countWrong: nothing,
};

/** Runs the rules of login and check, with everything that writes or counts replaced. */
export function judgeWithoutTraces({ players, passwords, tokens, settings, tickets }: JudgeDeps): Judge {
  const deps: CountedLoginDeps & CheckDeps = {
    players: { ...players, sealHash: nothing, replaceHash: nothing, cancelDeletion: async () => true },
    passwords: { ...passwords, renew: () => undefined },
    tickets: { ...tickets, use: async () => true },
    tokens,
    settings,
    throttle: uncounted,
    zones: { currentId: (serverId) => serverId },
    gameServerAuth: { isGameServer: () => true },
    recordLogin: () => {},
    recordEvent: nothing,
    recordLegacy: () => {},
    limitPlayer: () => {},
    askSecondFactor: async () => {
      throw new Refusal('second_factor_required');
    },
  };
  const [logIn, check] = [login(deps), checkToken(deps)];
  const validLogin = validator(routes.login.body);
  const validCheck = validator(routes.check.body);
  const address = '127.0.0.1';

  const rules: Record<ShadowRoute, (asked: Asked) => Promise<unknown>> = {
    login: async ({ account, password }) =>
      logIn({ ...validLogin({ account, password }), address, userAgent: undefined }),
    check: async ({ account, token }) => check(validCheck({ account, token }), { address, direct: true }),
  };

  return async (route, asked) => {
    try {
      await rules[route](asked);
      return 'accepted';
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'unavailable') return error.code;
      throw error;
    }
  };
}
