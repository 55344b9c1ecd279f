import { Refusal } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import { sameHash } from '../../security/passwords.ts';
import type { Tokens } from '../../security/tokens.ts';
import { refuseSuspended } from './session.ts';
import type { AccountStore, Player } from './store.ts';

export interface CheckParts {
  readonly players: AccountStore;
  readonly tokens: Tokens;
  readonly throttle: LoginThrottle;
}

/** Tells a game server whether a token is the account's: a JWT of ours, or the md5 token of old game clients. */
export function checkToken({ players, tokens, throttle }: CheckParts) {
  return async ({ account, token, address }: { account: string; token: string; address: string }) => {
    const player = await players.findByAccount(account);
    if (looksLikeJwt(token)) {
      if (!player || !isCurrent(tokens, token, player)) throw new Refusal('invalid_token');
      return confirmed(player, 'jwt');
    }
    const attempt = { subject: accountKey(account), address, usual: player?.usualAddresses ?? [] };
    const right = sameHash(token.toLowerCase(), player?.passwordHash);
    if (!right || !player) {
      await throttle.failed(attempt);
      throw new Refusal('invalid_token');
    }
    await throttle.succeeded(attempt);
    return confirmed(player, 'legacy');
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
