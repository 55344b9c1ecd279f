import { Refusal } from '../../refusal.ts';
import { isCurrentToken, refuseSuspended } from './session.ts';
import type { AccountStore } from './store.ts';

/** Confirms a JWT's claims: the player exists, is not banned, and the token is of the current version. */
export function confirmIdentity(players: AccountStore) {
  return async (token: { id: string; playerId: number; version: number }) => {
    const player = await players.findById(token.playerId);
    if (!player) throw new Refusal('invalid_token');
    refuseSuspended(player);
    if (!isCurrentToken(player, token)) throw new Refusal('invalid_token');
    const { id: playerId, account, twoFactor, tokenVersion } = player;
    return { playerId, account, twoFactor, tokenVersion };
  };
}
