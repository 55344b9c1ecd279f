import { Refusal } from '../../refusal.ts';
import type { AccountStore } from '../account/store.ts';
import type { BindingStore, ConnectedIdentity } from './store.ts';

export interface GameServerParts {
  readonly players: AccountStore;
  readonly bindings: BindingStore;
}

/** A game server says whose identity this is. Saying it twice is fine; saying something else is not. */
export function bindAccount({ players, bindings }: GameServerParts) {
  return async (account: string, identity: ConnectedIdentity) => {
    const player = await players.findByAccount(account);
    if (!player) throw new Refusal('account_not_found');
    await bindings.deleteOrphaned(identity);
    const added = await bindings.add(identity, player.id);
    if (!added && (await bindings.ownerOf(identity))?.playerId !== player.id)
      throw new Refusal('already_bound');
    return { account: player.account, connect_id: identity.connectId };
  };
}

export function findLinked({ bindings }: GameServerParts) {
  return async (identity: ConnectedIdentity): Promise<{ account: string }> => {
    const owner = await bindings.ownerOf(identity);
    if (!owner) throw new Refusal('account_not_found');
    return { account: owner.account };
  };
}
