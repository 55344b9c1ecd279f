import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/open.ts';
import { gameDatabases } from '../../../integrations/game-database.ts';
import { gmCommands } from '../../../integrations/gm-command.ts';
import { resolveHost } from '../../../integrations/resolve-host.ts';
import { tcpCheck } from '../../../integrations/tcp-check.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import { createTokens } from '../../../security/tokens.ts';
import type { Settings } from '../../../settings/schema.ts';
import { accountStore } from '../../account/store.ts';
import { entryTicketStore } from '../../tickets/store.ts';
import { entryTickets } from '../../tickets/tickets.ts';
import { zoneStore } from '../../zones/store.ts';
import { runConformance } from './run.ts';

interface ConformanceModuleDeps {
  readonly db: Db;
  readonly settings: Pick<Settings, 'auth' | 'zones' | 'gm' | 'game_servers'>;
  readonly clock?: () => number;
}

export function openConformance({ db, settings, clock = () => performance.now() }: ConformanceModuleDeps) {
  const { auth, zones, gm, game_servers } = settings;
  const tickets = entryTicketStore(db);
  return runConformance({
    zones: zoneStore(db).all,
    setup: { gameServers: game_servers.ip, resolveHost },
    entry: (currentZone) => ({
      kind: auth.game_token,
      players: accountStore(db, createPasswordHashes(auth.seal_key)),
      tokens: createTokens({ secrets: auth.jwt_secret, isRevoked: () => false }),
      tickets: entryTickets({
        tickets,
        lifetimeS: () => auth.ticket_ttl,
        currentZone,
        isRevoked: () => false,
      }),
    }),
    callbacks: game_servers,
    game: {
      databaseOf: gameDatabases(zones),
      gmOf: gmCommands(gm, zones.allowed_hosts),
      tcpCheck: tcpCheck(zones.allowed_hosts),
      wronglySigned:
        gm.key === undefined
          ? undefined
          : gmCommands({ ...gm, key: randomBytes(16).toString('hex') }, zones.allowed_hosts),
      timeout: gm.timeout,
      saveInterval: zones.save_interval,
      clock,
    },
  });
}
