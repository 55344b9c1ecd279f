import type { Session } from '@gatehouse/contract';
import { Refusal } from '../../refusal.ts';
import { timeText } from '../../runtime/time.ts';
import type { Tokens, VerifiedToken } from '../../security/tokens.ts';
import type { RecordEvent } from '../history/store.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { keptToken, type Player, type PlayerIdentity } from './player-store.ts';
import type { AccountStore } from './store.ts';

/** The origin of a request. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface SessionDeps {
  readonly tokens: Tokens;
  readonly zones: Pick<ZoneCache, 'currentId'>;
}

/** Returns the session of an authenticated player: for 24 hours, or until the end of the session it replaces. */
export function openSession(
  { tokens, zones }: SessionDeps,
  player: Pick<Player, 'id' | 'account' | 'tokenVersion' | 'serverId'>,
  replaced?: Pick<VerifiedToken, 'expiresAt'>,
): Session {
  const claims = { playerId: player.id, account: player.account, version: player.tokenVersion };
  const { token, expiresAt } = tokens.issue(claims, replaced?.expiresAt);
  return {
    token,
    token_type: 'Bearer',
    expires_at: cachedTimeText(expiresAt),
    account: player.account,
    server_id: player.serverId === null ? null : zones.currentId(player.serverId),
  };
}

let lastTime = { at: Number.NaN, text: '' };

/** Caches the last result: all logins of one second have the same time, and formatting it takes a fiftieth of a login. */
function cachedTimeText(at: number): string {
  if (at !== lastTime.at) lastTime = { at, text: timeText(at) };
  return lastTime.text;
}

/** Reports whether a token has the player's current version, or is the one kept when the others were ended. */
export function isCurrentToken(
  player: PlayerIdentity,
  { id, version }: { id: string; version: number },
): boolean {
  const { tokenVersion } = player;
  return version === tokenVersion || player.keptToken === keptToken(tokenVersion, id);
}

export interface LoginSessionDeps extends SessionDeps {
  readonly players: Pick<AccountStore, 'cancelDeletion' | 'allOrNothing' | 'findById'>;
  readonly recordEvent: RecordEvent;
}

/** Cancels a pending deletion of the account. Returns false if its time has come. */
export async function cancelDeletion(
  { players, recordEvent }: Pick<LoginSessionDeps, 'players' | 'recordEvent'>,
  playerId: number,
  { address, userAgent }: Visitor,
): Promise<boolean> {
  let isCancelled = false;
  await players.allOrNothing({
    async work(trx) {
      isCancelled = await players.cancelDeletion(trx, playerId);
      if (isCancelled) await recordEvent(trx, { playerId, kind: 'deletion_cancelled', address, userAgent });
    },
    wasApplied: async () => (await players.findById(playerId))?.deletionAt === null,
  });
  return isCancelled;
}

/** Opens a session for a login, which also cancels a pending deletion of the account. */
export async function openLoginSession(
  deps: LoginSessionDeps,
  player: Player,
  visitor: Visitor,
): Promise<Session> {
  const { deletionAt, hasTemporaryPassword } = player;
  if (player.isErased) throw new Refusal('invalid_credentials');
  if (deletionAt !== null && !(await cancelDeletion(deps, player.id, visitor)))
    throw new Refusal('invalid_credentials');
  return {
    ...openSession(deps, player),
    ...(deletionAt !== null && { deletion_cancelled: true as const }),
    ...(hasTemporaryPassword && { password_temporary: true as const }),
  };
}

/** Refuses a banned player with the ban's reason and end. */
export function refuseSuspended({ ban }: PlayerIdentity): void {
  if (!ban) return;
  const reason = ban.reason ?? undefined;
  const until = ban.until === null ? undefined : timeText(ban.until);
  const variant = [reason && 'reasoned', until && 'until'].filter(Boolean).join('_');
  throw new Refusal('account_suspended', {
    ...(variant && { variant }),
    params: { reason: reason ?? '', until: until ?? '' },
    extra: { ...(reason && { reason }), ...(until && { until }) },
  });
}

/** Confirms a JWT's claims: the player exists, is not banned, and the token is of the current version. */
export function confirmIdentity(players: Pick<AccountStore, 'identifyById'>) {
  return async (token: { id: string; playerId: number; version: number }) => {
    const player = await players.identifyById(token.playerId);
    if (!player || player.isErased) throw new Refusal('invalid_token');
    refuseSuspended(player);
    if (!isCurrentToken(player, token)) throw new Refusal('invalid_token');
    const { id: playerId, account, twoFactor, tokenVersion } = player;
    return { playerId, account, twoFactor, tokenVersion };
  };
}
