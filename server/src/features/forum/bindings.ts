import type { Binding } from '@gatehouse/contract';
import { Refusal } from '../../refusal.ts';
import { timeText } from '../../runtime/time.ts';
import { isArgon2Hash } from '../../security/argon2.ts';
import { isUsableHash } from '../../security/passwords.ts';
import type { Visitor } from '../account/session.ts';
import type { AccountStore } from '../account/store.ts';
import type { Origin } from '../notices/notify-player.ts';
import type { ForumDeps } from './deps.ts';
import type { BindingStore } from './store.ts';

export function listBindings({ bindings }: ForumDeps) {
  return async (playerId: number): Promise<{ bindings: Binding[] }> => {
    const stored = await bindings.of(playerId);
    return {
      bindings: stored.map(({ provider, connectId, boundAt }) => ({
        provider,
        connect_id: connectId,
        bound_at: timeText(boundAt),
      })),
    };
  };
}

/** Removes a binding, unless it is the last way to log in to the account. */
export function unbind(deps: ForumDeps) {
  const { players, bindings, recordEvent, notifyPlayer } = deps;
  const hasOwnPassword = ownPassword(deps);
  const list = listBindings(deps);

  return async (playerId: number, provider: string, { language, ...visitor }: Visitor & Origin) => {
    const mayBeLast = await hasOwnPassword(playerId);
    await players.allOrNothing({
      async work(trx) {
        if (!mayBeLast) await bindings.awaitRemovals(trx);
        if (!(await bindings.remove(trx, playerId, provider))) throw new Refusal('not_found');
        if (!mayBeLast && (await bindings.countLeft(trx, playerId)) === 0) throw new Refusal('only_way_in');
        await recordEvent(trx, { playerId, kind: 'unlinked', detail: provider, ...visitor });
      },
      wasApplied: async () => (await bindings.of(playerId)).every((left) => left.provider !== provider),
    });
    const { address } = visitor;
    notifyPlayer({ playerId, notice: { kind: 'unlinked', provider }, address, language });
    return list(playerId);
  };
}

/** Reports whether the player has a known password. An account made by a forum login has none at first. */
export function ownPassword(parts: {
  readonly players: Pick<AccountStore, 'findById'>;
  readonly bindings: Pick<BindingStore, 'isUnknownPassword'>;
}) {
  return async (playerId: number): Promise<boolean> => {
    const hash = (await parts.players.findById(playerId))?.passwordHash ?? '';
    const isUsable = isUsableHash(hash) || isArgon2Hash(hash);
    return isUsable && !(await parts.bindings.isUnknownPassword(playerId, hash));
  };
}

export type HasOwnPassword = ReturnType<typeof ownPassword>;
