import { lookupAll, prepared } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import { countRows, hasRow } from '../../db/row-count.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne, insertedNew, serialize } from '../../db/unchanged.ts';
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
  /** Bound by a game server and not yet confirmed with the account's password. */
  readonly unconfirmed: boolean;
}

export interface NewBinding extends ConnectedIdentity {
  readonly byGameServer?: boolean;
  readonly unconfirmed?: boolean;
}

/** Upper bound for a player's login history read on behalf of a game server. */
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
        .where('binding.connect_id', '=', connectId)
        .where('player.erased_at', 'is', null),
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

  const madeByForum = (playerId: number) =>
    kysely.selectFrom('forum_account').select('player_id').where('player_id', '=', playerId);

  return {
    async ownerOf({ provider, connectId }: ConnectedIdentity): Promise<Owner | undefined> {
      const [row] = await owner(provider, connectId);
      if (!row) return undefined;
      const { by_game_server, unconfirmed, ...known } = row;
      return { ...known, byGameServer: by_game_server !== 0, unconfirmed: unconfirmed !== 0 };
    },

    isBound: (trx: Trx, { provider, connectId }: ConnectedIdentity, playerId: number): Promise<boolean> =>
      trx
        .selectFrom('player_connect_threeparty')
        .select('player_id')
        .where('provider', '=', provider)
        .where('connect_id', '=', connectId)
        .where('player_id', '=', playerId)
        .$call(hasRow),

    async of(playerId: number): Promise<(ConnectedIdentity & { readonly boundAt: number })[]> {
      const rows = await bindings(playerId);
      return rows.map(({ provider, connectId, boundAt }) => ({ provider, connectId, boundAt }));
    },

    /** Returns false if the identity is already bound, or the player has another one of this provider. */
    async add(
      { provider, connectId, byGameServer = false, unconfirmed = false }: NewBinding,
      playerId: number,
      trx: Trx | Db['kysely'] = kysely,
    ): Promise<boolean> {
      return trx
        .insertInto('player_connect_threeparty')
        .values({
          provider,
          connect_id: connectId,
          player_id: playerId,
          by_game_server: Number(byGameServer),
          unconfirmed: Number(unconfirmed),
        })
        .$call(insertedNew);
    },

    /** Records that the player gave the password for a binding. Returns false if the identity is not bound to this player. */
    async confirm(trx: Trx, { provider, connectId }: ConnectedIdentity, playerId: number): Promise<boolean> {
      return trx
        .updateTable('player_connect_threeparty')
        .set({ unconfirmed: 0 })
        .where('provider', '=', provider)
        .where('connect_id', '=', connectId)
        .where('player_id', '=', playerId)
        .$call(changedOne);
    },

    /** Deletes a binding whose player was deleted or erased, so that the identity is free again. */
    async deleteOrphaned({ provider, connectId }: ConnectedIdentity): Promise<void> {
      await kysely
        .deleteFrom('player_connect_threeparty')
        .where('provider', '=', provider)
        .where('connect_id', '=', connectId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('player')
                .select('player.id')
                .whereRef('player.id', '=', 'player_connect_threeparty.player_id')
                .where('player.erased_at', 'is', null),
            ),
          ),
        )
        .execute();
    },

    async remove(trx: Trx, playerId: number, provider: string): Promise<boolean> {
      return trx
        .deleteFrom('player_connect_threeparty')
        .where('player_id', '=', playerId)
        .where('provider', '=', provider)
        .$call(changedOne);
    },

    async removeAll(trx: Trx, playerId: number): Promise<void> {
      await trx.deleteFrom('player_connect_threeparty').where('player_id', '=', playerId).execute();
    },

    /** Waits for other removals of a last binding, so that two concurrent ones cannot each rely on the other's binding. */
    awaitRemovals: (trx: Trx): Promise<void> => serialize(trx, 'unbinding'),

    /** Counts the bindings that let the player in without a password. */
    countLeft: (trx: Trx, playerId: number): Promise<number> =>
      trx
        .selectFrom('player_connect_threeparty')
        .where('player_id', '=', playerId)
        .where('unconfirmed', '=', 0)
        .$call(countRows),

    /** Returns the zones that the player entered according to the newest logins, and the last zone. */
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
     * Records that the account has a password that is not known to anyone. Stores a digest, because anyone who finds the hash
     * itself could log in with it. Rows of the first version have the hash.
     */
    async noteUnknownPassword(trx: Trx, playerId: number, passwordHash: string): Promise<void> {
      await trx
        .insertInto('forum_account')
        .values({ player_id: playerId, password_hash: digestOfHash(passwordHash) })
        .execute();
    },

    /** Reports whether a forum login made the account. */
    madeAccount: (playerId: number): Promise<boolean> => madeByForum(playerId).$call(hasRow),

    isUnknownPassword: (playerId: number, passwordHash: string): Promise<boolean> =>
      madeByForum(playerId)
        .where('password_hash', 'in', [passwordHash, digestOfHash(passwordHash)])
        .$call(hasRow),
  };
}

export type BindingStore = ReturnType<typeof bindingStore>;
