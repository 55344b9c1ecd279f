import { randomUUID } from 'node:crypto';
import { duplicateKey } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';
import { valuesOf } from '../../db/row-count.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';

/** The values that identify a player in other rows. */
export interface Traces {
  readonly id: number;
  readonly account: string;
  readonly email: string;
  readonly addresses: readonly string[];
  readonly connectIds: readonly string[];
}

const UNDER_WAY = ['accepted', 'sending'];

/** Removes a player from the database. Withdrawals stay, under the id. */
export function erasureStore({ kysely, now }: Db) {
  return {
    /** Returns players due for erasure, including those already begun. */
    due: (limit: number): Promise<number[]> =>
      kysely
        .selectFrom('player')
        .select('id')
        .where('deletion_at', '<=', now)
        .orderBy('deletion_at')
        .limit(limit)
        .$call(valuesOf('id')),

    async traces(trx: Trx, id: number): Promise<Traces | undefined> {
      const player = await trx
        .selectFrom('player')
        .select(['account', 'email', 'ip', 'last_login_ip'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!player) return undefined;
      const logins = await trx
        .selectFrom('player_login')
        .select('ip')
        .distinct()
        .where('player_id', '=', id)
        .execute();
      const bindings = await trx
        .selectFrom('player_connect_threeparty')
        .select('connect_id')
        .where('player_id', '=', id)
        .execute();
      const seen = [player.ip, player.last_login_ip, ...logins.map(({ ip }) => ip)];
      return {
        id,
        account: player.account,
        email: player.email,
        addresses: [...new Set(seen)].filter((each): each is string => Boolean(each)),
        connectIds: bindings.map(({ connect_id }) => connect_id),
      };
    },

    /**
     * Ends all access to the account; a login no longer cancels the erasure. Returns false if it was cancelled or has already
     * begun, or a withdrawal is in progress. The name stays until everything found by it is removed.
     */
    async begin(trx: Trx, { id, email }: Pick<Traces, 'id' | 'email'>): Promise<boolean> {
      return trx
        .updateTable('player')
        .set(({ eb }) => ({
          erased_at: now,
          password_hash: '',
          password_argon2: null,
          token_version: eb('token_version', '+', 1),
          email: '',
          email_key: null,
          ip: '',
          device: '',
          os: '',
          browse: '',
          ban_reason: null,
          muted_until: null,
          mute_reason: null,
          password_temporary: 0,
          last_login_at: null,
          last_login_ip: null,
          legacy_seen_at: null,
          reset_at: null,
          name_chosen_at: null,
          withdrawal_told_at: null,
          imported_hash: null,
          imported_email: null,
          imported_status: null,
          two_factor: 0,
          kept_token: null,
        }))
        .where('id', '=', id)
        .where('email', '=', email)
        .where('deletion_at', '<=', now)
        .where('erased_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('withdraw')
                .select('withdraw.id')
                .where('withdraw.player_id', '=', id)
                .where('withdraw.state', 'in', UNDER_WAY),
            ),
          ),
        )
        .$call(changedOne);
    },

    /** Removes the name, the last remaining value. Returns false if that was done before. */
    async finish(trx: Trx, id: number): Promise<boolean> {
      const rename = async (account: string) => {
        return trx
          .updateTable('player')
          .set({ account, deletion_at: null })
          .where('id', '=', id)
          .where('erased_at', 'is not', null)
          .where('deletion_at', 'is not', null)
          .$call(changedOne);
      };
      try {
        return await rename(`#${id}`);
      } catch (error) {
        // This name cannot be registered, but an imported account may have it.
        if (duplicateKey(error) !== 'player_account_key') throw error;
        return rename(`#${id} ${randomUUID()}`);
      }
    },

    /** Returns an account whose erasure has begun but not finished. */
    remaining(id: number): Promise<{ account: string } | undefined> {
      return kysely
        .selectFrom('player')
        .select('account')
        .where('id', '=', id)
        .where('erased_at', 'is not', null)
        .where('deletion_at', 'is not', null)
        .executeTakeFirst();
    },

    /** Returns recently erased players. Logins are written with a delay, so some may have arrived since. */
    erasedWithin: (ms: number): Promise<number[]> =>
      kysely
        .selectFrom('player')
        .select('id')
        .where(({ eb }) => eb('erased_at', '>', eb(now, '-', ms)))
        .$call(valuesOf('id')),
  };
}

export type ErasureStore = ReturnType<typeof erasureStore>;
