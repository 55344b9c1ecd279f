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
  readonly boundAt: number;
  readonly ageMs: number;
  readonly byGameServer: boolean;
  /** Bound by a game server; nobody has given the account's password since. */
  readonly unconfirmed: boolean;
}

export interface NewBinding extends ConnectedIdentity {
  readonly byGameServer?: boolean;
  readonly unconfirmed?: boolean;
}

export interface StoredBinding extends ConnectedIdentity {
  readonly boundAt: number;
}

/** How much of a player's history is read on behalf of a game server. */
const NEWEST_LOGINS = 1000;

export function bindingStore(db: Db) {
  const { kysely } = db;
  const owner = prepared(
    db,
    (provider: string, connectId: string) =>
      kysely
        .selectFrom('player_connect_threeparty as binding')
        .innerJoin('player', 'player.id', 'binding.player_id')
        .select([
          'player.id as playerId',
          'player.account',
          'binding.created_at as boundAt',
          'binding.by_game_server',
          'binding.unconfirmed',
          ({ eb }) => eb(db.now, '-', eb.ref('binding.created_at')).as('ageMs'),
        ])
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
      if (!row) return undefined;
      const { by_game_server, unconfirmed, ...known } = row;
      return { ...known, byGameServer: by_game_server !== 0, unconfirmed: unconfirmed !== 0 };
    },

    async of(playerId: number): Promise<StoredBinding[]> {
      const rows = await bindings(playerId);
      return rows.map(({ provider, connectId, boundAt }) => ({ provider, connectId, boundAt }));
    },

    /** False when the identity is somebody's already, or the player has another one of this provider. */
    async add(
      { provider, connectId, byGameServer = false, unconfirmed = false }: NewBinding,
      playerId: number,
      trx: Trx | Db['kysely'] = kysely,
    ): Promise<boolean> {
      try {
        await trx
          .insertInto('player_connect_threeparty')
          .values({
            provider,
            connect_id: connectId,
            player_id: playerId,
            by_game_server: Number(byGameServer),
            unconfirmed: Number(unconfirmed),
          })
          .execute();
        return true;
      } catch (error) {
        if (duplicateKey(error) === undefined) throw error;
        return false;
      }
    },

    /** Records that the player gave the password for a binding; false if the identity is not bound to this player. */
    async confirm(trx: Trx, { provider, connectId }: ConnectedIdentity, playerId: number): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('player_connect_threeparty')
        .set({ unconfirmed: 0 })
        .where('provider', '=', provider)
        .where('connect_id', '=', connectId)
        .where('player_id', '=', playerId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
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

    /**
     * Counts the bindings that let the player in without a password. Locks them by an update that changes nothing, so that
     * two concurrent removals cannot each count on the other's binding.
     */
    async countAndHold(trx: Trx, playerId: number): Promise<number> {
      const { numUpdatedRows } = await trx
        .updateTable('player_connect_threeparty')
        .set({ player_id: playerId })
        .where('player_id', '=', playerId)
        .where('unconfirmed', '=', 0)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** The zones that the player entered, as far as the newest of the login history tell, and the last one. */
    async zonesEntered(playerId: number): Promise<number[]> {
      const rows = await kysely
        .selectFrom((eb) =>
          eb
            .selectFrom('player_login')
            .select(['kind', 'server_id'])
            .where('player_id', '=', playerId)
            .orderBy('at', 'desc')
            .limit(NEWEST_LOGINS)
            .as('login'),
        )
        .select('login.server_id')
        .distinct()
        .where('login.kind', '=', 'enter')
        .execute();
      const last = await kysely
        .selectFrom('player')
        .select('last_server_id as server_id')
        .where('id', '=', playerId)
        .execute();
      return [...rows, ...last].flatMap(({ server_id }) => (server_id === null ? [] : [server_id]));
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
