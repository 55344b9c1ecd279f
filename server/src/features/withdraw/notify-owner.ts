import type { Origin } from '../notices/notify-player.ts';
import type { WithdrawDeps } from './deps.ts';
import type { Withdrawal } from './withdrawal.ts';

/** Notifies the player of a withdrawal that was or may have been made. Without an origin if recovery finished it. */
export function notifyOwner(
  { zones, notifyPlayer }: Pick<WithdrawDeps, 'zones' | 'notifyPlayer'>,
  { id: withdrawId, playerId, serverId, role, roleName, amount }: Withdrawal,
  origin?: Origin,
): void {
  const zone = zones.find(serverId)?.name ?? String(serverId);
  // Players know their roles by name, but may have sent the id.
  const notice = { kind: 'withdrawal', withdrawId, amount, role: roleName ?? role, zone } as const;
  notifyPlayer({ playerId, notice, ...origin });
}
