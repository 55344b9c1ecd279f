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
  /** Ends every token of the account; false where the session has ended meanwhile. */
  readonly change: (trx: Trx) => Promise<boolean>;
  /** Whether a player is as the change leaves them. */
  readonly isChanged?: (player: Player) => boolean;
}

/** A change that ends every token of the account, and a new session in place of the one that asks. */
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
    // Not of a version that somebody else has made meanwhile.
    return openSession(parts, { id, account, serverId, tokenVersion: next });
  };
}
