import type { AnswerOf, routes } from '@gatehouse/contract';
import type { Tokens, VerifiedToken } from '../../security/tokens.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { RecordLogin } from '../history/record-login.ts';
import { requireOpen } from '../zones/entry.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import type { Visitor } from './login.ts';
import type { AccountStore } from './store.ts';

export interface EnterParts {
  readonly players: AccountStore;
  readonly zones: ZoneCache;
  readonly tokens: Tokens;
  readonly settings: LiveSettings;
  readonly recordLogin: RecordLogin;
}

interface Entry extends Visitor {
  readonly playerId: number;
  readonly account: string;
  readonly serverId: number;
  /** What the player came with. */
  readonly session: VerifiedToken;
}

/** Records the login and hands out what the game client needs to present itself to its game server. */
export function enterGame({ players, zones, tokens, settings, recordLogin }: EnterParts) {
  return async (entry: Entry): Promise<AnswerOf<typeof routes.enterGame>> => {
    const zone = requireOpen(zones.find(entry.serverId));
    const { auth, client, public_url } = settings.current;
    const legacy =
      auth.game_token === 'legacy' ? (await players.findById(entry.playerId))?.passwordHash : undefined;
    const { playerId, address, userAgent } = entry;
    const { serverId } = zone;
    await players.recordEntry({ playerId, serverId, address });
    recordLogin({ playerId, kind: 'enter', serverId, address, userAgent });
    return {
      account: entry.account,
      // An account that has no hash has no old token either.
      token: legacy || tokens.issueForGame({ ...entry.session, account: entry.account }),
      server: { server_id: zone.serverId, name: zone.name, address: zone.address, port: zone.port },
      launch_url: launchUrl(client.url, public_url, zone.serverId),
    };
  };
}

/** Says which zone, and nothing secret: URLs end up in logs. */
function launchUrl(client: string, publicUrl: string, serverId: number): string {
  const url = new URL(client.replaceAll('{server_id}', String(serverId)), publicUrl);
  if (!client.includes('{server_id}')) url.searchParams.set('server_id', String(serverId));
  return url.href;
}
