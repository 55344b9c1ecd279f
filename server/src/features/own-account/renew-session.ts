import type { Session } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import { openSession, type SessionParts } from '../account/session.ts';
import type { AccountStore, Player } from '../account/store.ts';
import { type Owner, refOf } from './owner.ts';

export interface RenewParts extends SessionParts {
  readonly players: Pick<AccountStore, 'allOrNothing' | 'findById'>;
}

interface Renewal {
  /** Ends every token of the account. Returns false if the session has ended meanwhile. */
  readonly change: (trx: Trx) => Promise<boolean>;
  /** Reports whether the player is in the state after the change. */
  readonly isChanged?: (player: Player) => boolean;
}

/** Makes a change that ends every token of the account, and opens a new session for the caller. */
export function renewSession(parts: RenewParts) {
  const { players } = parts;
  return async (owner: Owner, { change, isChanged = () => true }: Renewal): Promise<Session> => {
    const { id, tokenVersion } = refOf(owner);
    const next = tokenVersion + 1;
    await players.allOrNothing({
      async work(trx) {
        if (!(await change(trx))) throw new Refusal('invalid_token');
      },
      async wasApplied() {
        const player = await players.findById(id);
        return player?.tokenVersion === next && isChanged(player);
      },
    });
    const player = await players.findById(id);
    if (!player) throw new Refusal('invalid_token');
    const { account, serverId } = player;
    // Use the version of this change, not a later one that another caller has made.
    return openSession(parts, { id, account, serverId, tokenVersion: next });
  };
}
