import { isArgon2Hash } from '../../security/argon2.ts';
import { isUsableHash } from '../../security/passwords.ts';
import type { AccountStore } from '../account/store.ts';
import type { BindingStore } from './store.ts';

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
