import type { Feature, FeatureContext } from '../../feature.ts';
import type { ConfirmIdentity } from '../../http/authentication.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { openPlayerAdmin } from './admin/module.ts';
import { playerAdminRoutes } from './admin/routes.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { type CreatePlayer, createPlayer } from './create-player.ts';
import { type RequireRegistrationOpen, requireRegistrationOpen } from './registration-cap.ts';
import { accountRoutes } from './routes.ts';
import { type AccountStore, accountStore } from './store.ts';

export interface AccountFeature extends Feature {
  readonly players: AccountStore;
  readonly createPlayer: CreatePlayer;
  readonly requireRegistrationOpen: RequireRegistrationOpen;
  /** Called by authentication for every player's token. */
  readonly confirmIdentity: ConfirmIdentity;
}

interface AccountContext extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'security'> {
  readonly zones: ZoneCache;
  readonly useCode: UseCode;
}

export function openAccount({ settings, db, log, security, zones, useCode }: AccountContext): AccountFeature {
  const players = accountStore(db);
  const create = createPlayer({ players, settings });
  const requireOpen = requireRegistrationOpen({ players, settings });
  const registering = { createPlayer: create, requireRegistrationOpen: requireOpen };
  return {
    players,
    ...registering,
    confirmIdentity: confirmIdentity(players),
    routes(app) {
      accountRoutes(app, { ...security, players, ...registering, zones, useCode, settings, log });
      playerAdminRoutes(app, openPlayerAdmin({ db, settings: settings.current }));
    },
  };
}
