import type { Session } from '@gatehouse/contract';
import { Refusal } from '../../refusal.ts';
import type { Tokens } from '../../security/tokens.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { type AccountStore, keptToken, type Player } from './store.ts';

export interface SessionParts {
  readonly tokens: Tokens;
  readonly zones: Pick<ZoneCache, 'currentId'>;
}

/** What a player who has proven who they are is given. */
export function openSession(
  { tokens, zones }: SessionParts,
  player: Pick<Player, 'id' | 'account' | 'tokenVersion' | 'serverId'>,
): Session {
  const { token, expiresAt } = tokens.issue({
    playerId: player.id,
    account: player.account,
    version: player.tokenVersion,
  });
  return {
    token,
    token_type: 'Bearer',
    expires_at: isoText(expiresAt),
    account: player.account,
    server_id: player.serverId === null ? null : zones.currentId(player.serverId),
  };
}

let lastIso = { at: Number.NaN, text: '' };

/** Whoever logs in during one second is given the same time, and rendering it takes a fiftieth of a login. */
function isoText(time: Date): string {
  const at = time.getTime();
  if (at !== lastIso.at) lastIso = { at, text: time.toISOString() };
  return lastIso.text;
}

/** Whether a token is one of the player's present version, or the one that was kept when the others were ended. */
export function isCurrentToken(player: Player, { id, version }: { id: string; version: number }): boolean {
  const { tokenVersion } = player;
  return version === tokenVersion || player.keptToken === keptToken(tokenVersion, id);
}

export interface LoginSessionParts extends SessionParts {
  readonly players: Pick<AccountStore, 'cancelDeletion'>;
}

/** A session by a login, which keeps an account that was to be erased. */
export async function openLoginSession(parts: LoginSessionParts, player: Player): Promise<Session> {
  if (player.deletionAt !== null && !(await parts.players.cancelDeletion(player.id)))
    throw new Refusal('invalid_credentials');
  return openSession(parts, player);
}

/** A ban says why and until when. */
export function refuseSuspended({ ban }: Player): void {
  if (!ban) return;
  const reason = ban.reason ?? undefined;
  const until = ban.until === null ? undefined : new Date(ban.until).toISOString();
  const variant = [reason && 'reasoned', until && 'until'].filter(Boolean).join('_');
  throw new Refusal('account_suspended', {
    ...(variant && { variant }),
    params: { reason: reason ?? '', until: until ?? '' },
    extra: { ...(reason && { reason }), ...(until && { until }) },
  });
}
