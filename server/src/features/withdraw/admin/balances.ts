import type { GameRole } from '../../../integrations/game-database.ts';
import { Refusal } from '../../../refusal.ts';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import type { Zone } from '../../zones/store.ts';
import { withAddressesOf } from '../withdrawal.ts';
import { type OperatorsWithdrawal, requireOwn, type WithdrawAdminDeps } from './repoint.ts';

/** Returns the balance of a withdrawal's role as last saved by the game; null if the role is not known or gone. */
export function currentBalance({ store, drivers, zones }: WithdrawAdminDeps) {
  return async (wanted: OperatorsWithdrawal): Promise<number | null> => {
    const withdrawal = requireOwn(await store.find(wanted.id), wanted);
    const { serverId, roleId } = withdrawal;
    const zone = (await zones()).find((each) => each.serverId === serverId);
    if (!zone || roleId === null) return null;
    const role = await drivers(withAddressesOf(withdrawal, zone)).balance(roleId);
    return role?.balance ?? null;
  };
}

type PlayersRole = Pick<GameRole, 'roleId' | 'name' | 'level' | 'balance'> & { readonly serverId: number };

/** Upper bound for the zones read for one player. */
const MAX_ZONES = 20;
const CONCURRENCY = 4;

/** Returns a player's roles with their balances, and the zones whose game database could not be read. */
export function playerRoles({ lists, drivers, zones }: WithdrawAdminDeps) {
  return async (playerId: number, limitedTo: readonly number[] | null) => {
    const owner = await lists.owner(playerId);
    const played = await lists.zonesOf(playerId);
    const isVisible = limitedTo === null || played.some((id) => limitedTo.includes(id));
    if (!owner || !isVisible) throw new Refusal('account_not_found');
    const roles: PlayersRole[] = [];
    const unavailable: number[] = [];
    const shown = currentZones(await zones(), played).filter(
      ({ serverId }) => limitedTo === null || limitedTo.includes(serverId),
    );
    await forEachConcurrent(shown.slice(0, MAX_ZONES), CONCURRENCY, async (zone) => {
      const { serverId } = zone;
      try {
        const found = await drivers(zone).roles(owner.account);
        roles.push(
          ...found.map(({ roleId, name, level, balance }) => ({ serverId, roleId, name, level, balance })),
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        unavailable.push(serverId);
      }
    });
    return { roles: roles.sort((a, b) => a.serverId - b.serverId || a.roleId - b.roleId), unavailable };
  };
}

/** Returns the zones with these ids, or those they were merged into. */
function currentZones(all: readonly Zone[], ids: readonly number[]): Zone[] {
  const byId = new Map(all.map((zone) => [zone.serverId, zone]));
  const found = new Set<Zone>();
  for (const id of ids) {
    let zone = byId.get(id);
    for (let hops = 0; zone?.mergedInto != null && hops < all.length; hops++)
      zone = byId.get(zone.mergedInto);
    if (zone) found.add(zone);
  }
  return [...found];
}
