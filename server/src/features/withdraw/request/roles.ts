import type { AnswerOf, routes } from '@gatehouse/contract';
import type { ZoneDrivers } from '../../../integrations/zone-driver.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import { originOf, requireOpen } from '../../zones/entry.ts';
import type { ZoneCache } from '../../zones/zone-cache.ts';
import type { WithdrawStore } from '../store/store.ts';
import type { RequestLimit } from './request-limit.ts';

export interface RolesParts {
  readonly store: WithdrawStore;
  readonly zones: ZoneCache;
  readonly drivers: ZoneDrivers;
  readonly settings: LiveSettings;
  readonly rolesLimit: RequestLimit;
}

interface Caller {
  readonly playerId: number;
  readonly account: string;
}

/** The caller's own roles on a zone, with what can be withdrawn: less what the game has not saved yet. */
export function listRoles({ store, zones, drivers, settings, rolesLimit }: RolesParts) {
  return async ({ playerId, account }: Caller, serverId: number): Promise<AnswerOf<typeof routes.roles>> => {
    const zone = requireOpen(zones, serverId);
    await rolesLimit.admit(playerId);
    const roles = await drivers(zone).roles(account);
    const ids = roles.map(({ roleId }) => roleId);
    const recent = await store.recentlyDone(
      zones.idsOf(zone),
      ids,
      settings.current.zones.save_interval * 1000,
    );
    return {
      roles: roles.map(({ roleId, name, level, balance }) => ({
        role_id: roleId,
        name,
        level,
        balance: Math.max(0, balance - (recent.get(roleId) ?? 0)),
      })),
      ...originOf(zone, serverId),
    };
  };
}
