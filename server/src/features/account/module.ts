import type { Feature, FeatureContext } from '../../feature.ts';
import type { ConfirmIdentity } from '../../http/authentication.ts';
import { erasedNameHash } from '../../security/erased-name-hash.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { RecordLogin } from '../history/record-login.ts';
import type { RecordLegacy } from '../legacy-tokens/record-legacy.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import type { EntryTickets } from '../tickets/tickets.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { openPlayerAdmin } from './admin/module.ts';
import { playerAdminRoutes } from './admin/routes.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { type CreatePlayer, createPlayer } from './create-player.ts';
import { type ErasedNameStore, erasedNameStore } from './erased-name-store.ts';
import { type RequireRegistrationOpen, requireRegistrationOpen } from './registration-cap.ts';
import { accountRoutes } from './routes.ts';
import { type AccountStore, accountStore } from './store.ts';

export interface AccountFeature extends Feature {
  readonly players: AccountStore;
  readonly createPlayer: CreatePlayer;
  readonly erasedNames: ErasedNameStore;
  readonly requireRegistrationOpen: RequireRegistrationOpen;
  /** Called by authentication for every player's token. */
  readonly confirmIdentity: ConfirmIdentity;
}

interface AccountContext extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'security'> {
  readonly zones: ZoneCache;
  readonly useCode: UseCode;
  readonly requireProof: RequireProof;
  readonly recordLogin: RecordLogin;
  readonly recordLegacy: RecordLegacy;
  readonly tickets: EntryTickets;
  readonly notifyPlayer: NotifyPlayer;
}

export function openAccount(context: AccountContext): AccountFeature {
  const { settings, db, log, security, zones, useCode, requireProof, tickets, notifyPlayer } = context;
  const { recordLogin, recordLegacy } = context;
  const players = accountStore(db);
  const erasedNames = erasedNameStore(db, erasedNameHash(settings.current.auth));
  const create = createPlayer({ players, erasedNames, settings });
  const requireOpen = requireRegistrationOpen({ players, settings });
  const registering = { createPlayer: create, requireRegistrationOpen: requireOpen };
  const recorders = { recordLogin, recordLegacy };
  const parts = {
    ...security,
    ...recorders,
    ...registering,
    players,
    zones,
    useCode,
    requireProof,
    tickets,
    notifyPlayer,
    settings,
    log,
  };
  return {
    players,
    erasedNames,
    ...registering,
    confirmIdentity: confirmIdentity(players),
    routes(app) {
      accountRoutes(app, parts);
      playerAdminRoutes(app, openPlayerAdmin({ db, settings: settings.current }));
    },
  };
}
