import { Refusal } from '../../refusal.ts';
import { timeText } from '../../runtime/time.ts';
import { accountKey } from '../../security/account-key.ts';
import type { Caller } from '../../security/addresses.ts';
import { sameHash } from '../../security/passwords.ts';
import type { Tokens } from '../../security/tokens.ts';
import { looksLikeTicket } from '../tickets/tickets.ts';
import type { AccountDeps } from './deps.ts';
import type { PlayerIdentity } from './player-store.ts';
import { isCurrentToken, refuseSuspended } from './session.ts';

export type CheckDeps = Pick<
  AccountDeps,
  'players' | 'tokens' | 'gameServerAuth' | 'settings' | 'recordLegacy' | 'tickets'
> & { readonly throttle: Pick<AccountDeps['throttle'], 'judge' | 'countWrong'> };

export interface Claim {
  readonly account: string;
  readonly token: string;
  /** The zone of the calling game server. */
  readonly server_id?: number;
}

/**
 * Confirms to a game server that a token belongs to the account: one of our JWTs, an entry ticket, or the md5 token of old game
 * clients.
 */
export function checkToken(deps: CheckDeps) {
  const { players, tokens, throttle, gameServerAuth, settings, recordLegacy } = deps;
  const checkTicket = ticketCheck(deps);

  /**
   * Counts wrong tokens without limiting the address: all players of a zone come through its game server, and wrong tokens must
   * not lock out the others.
   */
  async function judgeForGameServer(
    account: string,
    isRight: (found: PlayerIdentity | undefined) => boolean,
  ) {
    const player = await players.identifyByAccount(account);
    if (isRight(player)) return player;
    await throttle.countWrong(accountKey(account));
    return undefined;
  }

  return async (claim: Claim, caller: Caller) => {
    const { account, token } = claim;
    const format = formatOf(token);
    if (format === 'jwt') {
      const player = await players.identifyByAccount(account);
      if (!player || !isCurrent(tokens, token, player)) throw new Refusal('invalid_token');
      return confirmed(player, 'jwt');
    }
    // Accept tickets regardless of `auth.game_token`: instances switch modes one after another.
    if (format === 'ticket') return checkTicket(claim, caller);
    const { game_token, legacy_tokens } = settings.current.auth;
    if (!legacy_tokens) throw new Refusal('invalid_token');
    const isRight = (found: PlayerIdentity | undefined) => sameHash(token.toLowerCase(), found?.md5Token);
    const player = gameServerAuth.isGameServer(caller)
      ? await judgeForGameServer(account, isRight)
      : await throttle.judge({
          subject: accountKey(account),
          address: caller.address,
          find: () => players.findByAccount(account),
          isRight,
        });
    if (!player) throw new Refusal('invalid_token');
    // The password alone is enough to get an md5 token. With a second factor, accept one only if game servers take nothing
    // else.
    if (player.twoFactor && game_token !== 'legacy') throw new Refusal('invalid_token');
    const answer = confirmed(player, 'legacy');
    recordLegacy(player);
    return answer;
  };
}

/** Returns the format that a token has, right or wrong. */
export function formatOf(token: string): 'jwt' | 'ticket' | 'legacy' {
  if (looksLikeJwt(token)) return 'jwt';
  return looksLikeTicket(token) ? 'ticket' : 'legacy';
}

/** JWTs are not throttled: signatures cannot be guessed, and clients often present expired tokens. */
function looksLikeJwt(token: string): boolean {
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  return first !== -1 && second !== -1 && !token.includes('.', second + 1);
}

function isCurrent(tokens: Tokens, token: string, player: PlayerIdentity): boolean {
  const claims = tokens.verify(token);
  return claims?.playerId === player.id && (isCurrentToken(player, claims) || player.ban !== undefined);
}

/** Accepts a ticket once. A request from a wrong zone learns nothing and does not use the ticket up. */
function ticketCheck({ players, tickets }: CheckDeps) {
  return async ({ account, token, server_id }: Claim, { address }: Caller) => {
    const player = await players.identifyByAccount(account);
    const ticket = player && (await tickets.find(token));
    if (!player || ticket?.playerId !== player.id) throw new Refusal('invalid_token');
    const answer = { ...confirmed(player, 'ticket'), server_id: ticket.serverId };
    const isCurrent = ticket.tokenVersion === player.tokenVersion;
    if (!isCurrent || !tickets.isOfZone(ticket, server_id) || !(await tickets.use(token, address)))
      throw new Refusal('invalid_token');
    return answer;
  };
}

function confirmed<const F extends 'jwt' | 'legacy' | 'ticket'>(player: PlayerIdentity, format: F) {
  refuseSuspended(player);
  const { account, id: player_id, mute } = player;
  return {
    valid: true as const,
    account,
    player_id,
    format,
    ...(mute && { muted_until: timeText(mute.until), mute_reason: mute.reason ?? '' }),
  };
}
