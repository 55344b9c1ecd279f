import type { AnswerOf, routes } from '@gatehouse/contract';
import type { VerifiedToken } from '../../security/tokens.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { originOf, requireOpen } from '../zones/zone-cache.ts';
import type { AccountDeps } from './deps.ts';
import type { Visitor } from './session.ts';

interface Entry extends Visitor {
  readonly playerId: number;
  readonly account: string;
  readonly serverId: number;
  /** The token the player presented. */
  readonly session: VerifiedToken;
}

/** Records the login and returns what the game client needs to log in to its game server. */
export function enterGame(deps: AccountDeps) {
  const { players, zones, settings, recordLogin, limitPlayer } = deps;
  const launchUrl = launchUrls(settings);
  return async (entry: Entry): Promise<AnswerOf<typeof routes.enterGame>> => {
    const zone = requireOpen(zones, entry.serverId);
    const origin = originOf(zone, entry.serverId);
    const { playerId, address, userAgent } = entry;
    const { serverId } = zone;
    limitPlayer('enter', playerId);
    const [token] = await Promise.all([
      tokenFor(deps, entry, serverId),
      players.recordEntry({ playerId, serverId, address }),
    ]);
    recordLogin({ playerId, kind: 'enter', serverId, address, userAgent });
    return {
      account: entry.account,
      token,
      // Repeat the origin here: the game client is given only this object.
      server: {
        server_id: zone.serverId,
        name: zone.name,
        address: zone.address,
        port: zone.port,
        ...origin,
      },
      ...origin,
      launch_url: launchUrl(serverId),
    };
  };
}

/** Returns the token that the game client presents to its game server. */
async function tokenFor(
  { players, tokens, tickets, settings }: AccountDeps,
  { playerId, account, session }: Entry,
  serverId: number,
): Promise<string> {
  const { game_token } = settings.current.auth;
  if (game_token === 'ticket') {
    const { id: sessionId, version: tokenVersion } = session;
    return tickets.issue({ playerId, serverId, tokenVersion, sessionId });
  }
  const old = game_token === 'legacy' ? (await players.findById(playerId))?.md5Token : undefined;
  // An account without a hash has no md5 token.
  return old || tokens.issueForGame({ ...session, account });
}

/** Caches launch URLs by zone until the settings change, because parsing one takes 3 % of an entry's time. */
function launchUrls(settings: LiveSettings): (serverId: number) => string {
  let made = { by: settings.current, urls: new Map<number, string>() };
  return (serverId) => {
    if (made.by !== settings.current) made = { by: settings.current, urls: new Map() };
    const known = made.urls.get(serverId);
    if (known !== undefined) return known;
    const { client, public_url } = settings.current;
    const url = launchUrl(client.url, public_url, serverId);
    made.urls.set(serverId, url);
    return url;
  };
}

/** Returns a URL that names the zone and contains no secret: URLs end up in logs. */
function launchUrl(client: string, publicUrl: string, serverId: number): string {
  const url = new URL(client.replaceAll('{server_id}', String(serverId)), publicUrl);
  if (!client.includes('{server_id}')) url.searchParams.set('server_id', String(serverId));
  return url.href;
}
