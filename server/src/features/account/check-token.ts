import { Refusal } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import type { Caller } from '../../security/addresses.ts';
import type { GameServerAuth } from '../../security/game-server-auth.ts';
import type { Guess, LoginThrottle } from '../../security/login-throttle.ts';
import { sameHash } from '../../security/passwords.ts';
import type { Tokens } from '../../security/tokens.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { RecordLegacy } from '../legacy-tokens/record-legacy.ts';
import { type EntryTickets, looksLikeTicket } from '../tickets/tickets.ts';
import { isCurrentToken, refuseSuspended } from './session.ts';
import type { AccountStore, Player } from './store.ts';

export interface CheckParts {
  readonly players: AccountStore;
  readonly tokens: Tokens;
  readonly throttle: LoginThrottle;
  readonly gameServerAuth: Pick<GameServerAuth, 'isGameServer'>;
  readonly settings: LiveSettings;
  readonly recordLegacy: RecordLegacy;
  readonly tickets: EntryTickets;
}

export interface Claim {
  readonly account: string;
  readonly token: string;
  /** The zone that asks. */
  readonly server_id?: number;
}

/** Tells a game server whether a token is the account's: a JWT of ours, a ticket, or the md5 token of old game clients. */
export function checkToken(parts: CheckParts) {
  const { players, tokens, throttle, gameServerAuth, settings, recordLegacy } = parts;
  const checkTicket = ticketCheck(parts);

  /** All players of a zone come through its game server: wrong tokens must not keep the others' right ones out. */
  async function judgeForGameServer({ subject, find, isRight }: Guess<Player>): Promise<Player | undefined> {
    const player = await find();
    if (isRight(player)) return player;
    await throttle.countWrong(subject);
    return undefined;
  }

  return async (claim: Claim, caller: Caller) => {
    const { account, token } = claim;
    if (looksLikeJwt(token)) {
      const player = await players.findByAccount(account);
      if (!player || !isCurrent(tokens, token, player)) throw new Refusal('invalid_token');
      return confirmed(player, 'jwt');
    }
    // Whatever this instance hands out: another one, or this one before a restart, may have been told otherwise.
    if (looksLikeTicket(token)) return checkTicket(claim, caller);
    const { game_token, legacy_tokens } = settings.current.auth;
    if (!legacy_tokens) throw new Refusal('invalid_token');
    const guess = {
      subject: accountKey(account),
      address: caller.address,
      find: () => players.findByAccount(account),
      isRight: (found: Player | undefined) => sameHash(token.toLowerCase(), found?.passwordHash),
    };
    const isTrusted = gameServerAuth.isGameServer(caller);
    const player = await (isTrusted ? judgeForGameServer(guess) : throttle.judge(guess));
    if (!player) throw new Refusal('invalid_token');
    // Whoever knows the password can have one without a code: it counts only where game servers take nothing else.
    if (player.twoFactor && game_token !== 'legacy') throw new Refusal('invalid_token');
    const answer = confirmed(player, 'legacy');
    recordLegacy(player);
    return answer;
  };
}

/** Nobody guesses a signature, and clients do present tokens that have run out: such a failure is no attack. */
const looksLikeJwt = (token: string) => token.split('.').length === 3;

function isCurrent(tokens: Tokens, token: string, player: Player): boolean {
  const claims = tokens.verify(token);
  return claims?.playerId === player.id && (isCurrentToken(player, claims) || player.ban !== undefined);
}

/** Once for one caller; a zone that it is not for learns nothing, and leaves it good. */
function ticketCheck({ players, tickets }: CheckParts) {
  return async ({ account, token, server_id }: Claim, { address }: Caller) => {
    const player = await players.findByAccount(account);
    const ticket = player && (await tickets.find(token));
    if (!player || ticket?.playerId !== player.id) throw new Refusal('invalid_token');
    const answer = { ...confirmed(player, 'ticket'), server_id: ticket.serverId };
    const isCurrent = ticket.tokenVersion === player.tokenVersion;
    if (!isCurrent || !tickets.isOfZone(ticket, server_id) || !(await tickets.use(token, address)))
      throw new Refusal('invalid_token');
    return answer;
  };
}

function confirmed<const F extends 'jwt' | 'legacy' | 'ticket'>(player: Player, format: F) {
  refuseSuspended(player);
  return { valid: true as const, account: player.account, player_id: player.id, format };
}
