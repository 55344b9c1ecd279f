import { Refusal } from '../../refusal.ts';
import { refuseSuspended } from './session.ts';
import type { AccountStore } from './store.ts';

/** Confirms a JWT's claims: the player still exists, is not banned, and the token is of the current version. */
export function confirmIdentity(players: AccountStore) {
  return async ({ playerId, version }: { playerId: number; version: number }) => {
    const player = await players.findById(playerId);
    if (!player) throw new Refusal('invalid_token');
    refuseSuspended(player);
    if (player.tokenVersion !== version) throw new Refusal('invalid_token');
    return { playerId: player.id, account: player.account };
  };
}
