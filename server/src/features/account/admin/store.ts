import { duplicateKey } from '../../../db/errors.ts';
import type { Db } from '../../../db/open.ts';
import { hasRow } from '../../../db/row-count.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, unchanged } from '../../../db/unchanged.ts';
import { accountKey } from '../../../security/account-key.ts';
import type { PasswordHashes } from '../../../security/password-hashes.ts';
import { isPlayerOf } from './search-store.ts';

const states = (trx: Trx) =>
  trx
    .selectFrom('player')
    .select(['id', 'account', 'email', 'status', 'ban_reason', 'banned_until'])
    .select(['token_version', 'two_factor', 'muted_until', 'mute_reason']);

/** The columns of a player that operators change, as read. */
export type PlayerState = Readonly<Awaited<ReturnType<ReturnType<typeof states>['executeTakeFirstOrThrow']>>>;

export type PlayerChange = Partial<Omit<PlayerState, 'id' | 'account'>> & {
  readonly password_hash?: string;
  readonly email_key?: string | null;
  readonly password_temporary?: number;
};

/** A player by account name or by id. */
export type PlayerRef =
  | { readonly account: string }
  | {
      readonly playerId: number /** Only a player of these zones. */;
      readonly zones?: readonly number[] | null;
    };

/** Thrown if another account has the e-mail address. */
export class EmailTaken extends Error {}

/** Operators' queries and changes; players' own routes never use them. */
export function playerAdminStore({ kysely, now, readTime }: Db, hashes: PasswordHashes) {
  const sealed = ({ password_hash: hash, ...change }: PlayerChange, id: number): PlayerChange =>
    hash === undefined ? change : { ...change, ...hashes.columnsOf(hash, id) };

  const othersHave = (trx: Trx, email: string, id: number): Promise<boolean> =>
    trx.selectFrom('player').select('id').where('email', '=', email).where('id', '!=', id).$call(hasRow);

  return {
    now: () => readTime(),

    /** Returns everything but the password hash. */
    show(account: string) {
      return kysely
        .selectFrom('player')
        .select(['id', 'account', 'email', 'status', 'ban_reason', 'banned_until', 'server_id'])
        .select(['muted_until', 'mute_reason', 'two_factor'])
        .select(['last_server_id', 'login_count', 'last_login_at', 'last_login_ip', 'created_at', 'ip'])
        .select(['device', 'os', 'browse', 'agent_id', 'token_version'])
        .where('account_key', '=', accountKey(account))
        .executeTakeFirst();
    },

    stateOf(trx: Trx, player: PlayerRef): Promise<PlayerState | undefined> {
      const query = states(trx);
      if ('account' in player)
        return query.where('account_key', '=', accountKey(player.account)).executeTakeFirst();
      const { playerId, zones } = player;
      const byId = query.where('id', '=', playerId);
      return (zones ? byId.where(isPlayerOf(zones)) : byId).executeTakeFirst();
    },

    async change(trx: Trx, before: PlayerState, change: PlayerChange): Promise<void> {
      // Old and imported rows have no email_key, so the unique index cannot catch them.
      if (change.email && (await othersHave(trx, change.email, before.id))) throw new EmailTaken();
      try {
        await trx
          .updateTable('player')
          .set({ ...sealed(change, before.id), ...(isReset(change) && { reset_at: now }) })
          .where(unchanged({ ...before }))
          .$call(changeOrRepeat);
      } catch (error) {
        throw duplicateKey(error) === 'player_email_key' ? new EmailTaken() : error;
      }
    },
  };
}

/**
 * Reports a reset: the person behind the account may have changed, and withdrawals can be put on hold
 * (`withdraw.hold_after_reset`).
 */
const isReset = (change: PlayerChange) =>
  'password_hash' in change || 'email' in change || 'two_factor' in change;

export type PlayerAdminStore = ReturnType<typeof playerAdminStore>;
