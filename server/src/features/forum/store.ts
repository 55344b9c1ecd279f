import { duplicateKey } from '../../db/errors.ts';
import { lookupAll } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import { prepared } from '../../db/prepared.ts';
import type { Trx } from '../../db/transaction.ts';
import { digestOfHash } from '../../security/password-hashes.ts';

/** An account at an identity provider. */
export interface ConnectedIdentity {
  readonly provider: string;
  readonly connectId: string;
}

export interface Owner {
  readonly playerId: number;
  readonly account: string;
}

export interface StoredBinding extends ConnectedIdentity {
  readonly boundAt: number;
}

export function bindingStore(db: Db) {
  const { kysely } = db;
  const owner = prepared(
    db,
    (provider: string, connectId: string) =>
      kysely
        .selectFrom('player_connect_threeparty as binding')
        .innerJoin('player', 'player.id', 'binding.player_id')
        .select(['player.id as playerId', 'player.account'])
        .where('binding.provider', '=', provider)
        .where('binding.connect_id', '=', connectId),
    2,
  );
  const bindings = lookupAll(
    db,
    (players: number[]) =>
      kysely
        .selectFrom('player_connect_threeparty')
        .select(['provider', 'connect_id as connectId', 'created_at as boundAt', 'player_id as playerId'])
        .where('player_id', 'in', players)
        .orderBy('id'),
    ({ playerId }) => playerId,
  );

  return {
    async ownerOf({ provider, connectId }: ConnectedIdentity): Promise<Owner | undefined> {
      const [row] = await owner(provider, connectId);
      return row;
    },

    async of(playerId: number): Promise<StoredBinding[]> {
      const rows = await bindings(playerId);
      return rows.map(({ provider, connectId, boundAt }) => ({ provider, connectId, boundAt }));
    },

    /** False when the identity is somebody's already, or the player has another one of this provider. */
    async add(
      { provider, connectId }: ConnectedIdentity,
      playerId: number,
      trx: Trx | Db['kysely'] = kysely,
    ): Promise<boolean> {
      try {
        await trx
          .insertInto('player_connect_threeparty')
          .values({ provider, connect_id: connectId, player_id: playerId })
          .execute();
        return true;
      } catch (error) {
        if (duplicateKey(error) === undefined) throw error;
        return false;
      }
    },

    /** An operator may have deleted the player; what pointed there is free again. */
    async deleteOrphaned({ provider, connectId }: ConnectedIdentity): Promise<void> {
      await kysely
        .deleteFrom('player_connect_threeparty')
        .where('provider', '=', provider)
        .where('connect_id', '=', connectId)
        .where('player_id', 'not in', (eb) => eb.selectFrom('player').select('id'))
        .execute();
    },

    async remove(trx: Trx, playerId: number, provider: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('player_connect_threeparty')
        .where('player_id', '=', playerId)
        .where('provider', '=', provider)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async removeAll(trx: Trx, playerId: number): Promise<void> {
      await trx.deleteFrom('player_connect_threeparty').where('player_id', '=', playerId).execute();
    },

    /** How many bindings are left. Locks them by a change of nothing, so that two removals cannot count on each other. */
    async countAndHold(trx: Trx, playerId: number): Promise<number> {
      const { numUpdatedRows } = await trx
        .updateTable('player_connect_threeparty')
        .set({ player_id: playerId })
        .where('player_id', '=', playerId)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /**
     * Notes that the account was made with a password that is not known to anyone. A digest is kept: the hash itself would
     * let its finder in. Rows of the first version have the hash.
     */
    async noteUnknownPassword(trx: Trx, playerId: number, passwordHash: string): Promise<void> {
      await trx
        .insertInto('forum_account')
        .values({ player_id: playerId, password_hash: digestOfHash(passwordHash) })
        .execute();
    },

    /** Whether a forum made the account. */
    async madeAccount(playerId: number): Promise<boolean> {
      const row = await kysely
        .selectFrom('forum_account')
        .select('player_id')
        .where('player_id', '=', playerId)
        .executeTakeFirst();
      return row !== undefined;
    },

    async isUnknownPassword(playerId: number, passwordHash: string): Promise<boolean> {
      const row = await kysely
        .selectFrom('forum_account')
        .select('player_id')
        .where('player_id', '=', playerId)
        .where('password_hash', 'in', [passwordHash, digestOfHash(passwordHash)])
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type BindingStore = ReturnType<typeof bindingStore>;
