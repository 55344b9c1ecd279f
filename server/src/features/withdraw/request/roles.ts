import type { AnswerOf, routes } from '@gatehouse/contract';
import { originOf, requireOpen } from '../../zones/zone-cache.ts';
import type { WithdrawDeps } from '../deps.ts';

interface Caller {
  readonly playerId: number;
  readonly account: string;
}

/** Lists the caller's own roles in a zone with their available balances, less withdrawals that the game may not have saved. */
export function listRoles({ store, zones, drivers, settings, rolesLimit }: WithdrawDeps) {
  return async ({ playerId, account }: Caller, serverId: number): Promise<AnswerOf<typeof routes.roles>> => {
    const zone = requireOpen(zones, serverId);
    await rolesLimit.admit(playerId);
    const roles = await drivers(zone).roles(account);
    const ids = roles.map(({ roleId }) => roleId);
    const withinMs = settings.current.zones.save_interval * 1000;
    const recent = await store.recentlyDone(zones.idsOf(zone), ids, withinMs);
    const after =
      recent.size > 0 ? await store.lastBalances(zones.idsOf(zone), [...recent.keys()], withinMs) : recent;
    return {
      roles: roles.map(({ roleId, name, level, balance }) => {
        const taken = recent.get(roleId) ?? 0;
        const available = Math.max(0, balance - taken);
        const settling = settlingAmount({ available, balance, taken, after: after.get(roleId) });
        return { role_id: roleId, name, level, balance: available, ...(settling > 0 && { settling }) };
      }),
      ...originOf(zone, serverId),
    };
  };
}

/**
 * Returns how much of the recent withdrawals is subtracted twice. They are subtracted until the game has saved them for sure;
 * if it has already saved, its balance lacks them too. The difference is reported as `settling` and cannot be withdrawn
 * meanwhile.
 */
function settlingAmount(role: {
  available: number;
  balance: number;
  taken: number;
  after: number | undefined;
}) {
  const { available, balance, taken, after = balance } = role;
  return Math.min(taken, Math.max(0, after - available));
}
