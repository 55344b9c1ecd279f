import { Refusal } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import type { Caller } from '../../security/addresses.ts';
import type { GameServerAuth } from '../../security/game-server-auth.ts';
import type { Guess, LoginThrottle } from '../../security/login-throttle.ts';
import { sameHash } from '../../security/passwords.ts';
import type { Tokens } from '../../security/tokens.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { RecordLegacy } from '../legacy-tokens/record-legacy.ts';
import { refuseSuspended } from './session.ts';
import type { AccountStore, Player } from './store.ts';

export interface CheckParts {
  readonly players: AccountStore;
  readonly tokens: Tokens;
  readonly throttle: LoginThrottle;
  readonly gameServerAuth: Pick<GameServerAuth, 'isGameServer'>;
  readonly settings: LiveSettings;
  readonly recordLegacy: RecordLegacy;
}

/** Tells a game server whether a token is the account's: a JWT of ours, or the md5 token of old game clients. */
export function checkToken(parts: CheckParts) {
  const { players, tokens, throttle, gameServerAuth, settings, recordLegacy } = parts;
  /** All players of a zone come through its game server: wrong tokens must not keep the others' right ones out. */
  async function judgeForGameServer({ subject, find, isRight }: Guess<Player>): Promise<Player | undefined> {
    const player = await find();
    if (isRight(player)) return player;
    await throttle.countWrong(subject);
    return undefined;
  }

  return async ({ account, token }: { account: string; token: string }, caller: Caller) => {
    if (looksLikeJwt(token)) {
      const player = await players.findByAccount(account);
      if (!player || !isCurrent(tokens, token, player)) throw new Refusal('invalid_token');
      return confirmed(player, 'jwt');
    }
    if (!settings.current.auth.legacy_tokens) throw new Refusal('invalid_token');
    const guess = {
      subject: accountKey(account),
      address: caller.address,
      find: () => players.findByAccount(account),
      isRight: (found: Player | undefined) => sameHash(token.toLowerCase(), found?.passwordHash),
    };
    const isTrusted = gameServerAuth.isGameServer(caller);
    const player = await (isTrusted ? judgeForGameServer(guess) : throttle.judge(guess));
    if (!player) throw new Refusal('invalid_token');
    const answer = confirmed(player, 'legacy');
    recordLegacy(player);
    return answer;
  };
}

/** Nobody guesses a signature, and clients do present tokens that have run out: such a failure is no attack. */
const looksLikeJwt = (token: string) => token.split('.').length === 3;

function isCurrent(tokens: Tokens, token: string, player: Player): boolean {
  const claims = tokens.verify(token);
  return (
    claims?.playerId === player.id && (claims.version === player.tokenVersion || player.ban !== undefined)
  );
}

function confirmed(player: Player, format: 'jwt' | 'legacy') {
  refuseSuspended(player);
  return { valid: true as const, account: player.account, player_id: player.id, format };
}
