import type { Db } from '../../db/open.ts';
import { accountKey } from '../../security/account-key.ts';

/** What an operator looks up and changes from the command line; the service itself never does. */
export function operatorStore({ kysely }: Db) {
  const ofAccount = (account: string) =>
    kysely.updateTable('player').where('account_key', '=', accountKey(account));
  const changed = ({ numUpdatedRows }: { numUpdatedRows: bigint }) => numUpdatedRows === 1n;

  return {
    /** Everything but the password's hash. */
    show(account: string) {
      return kysely
        .selectFrom('player')
        .select([
          'id',
          'account',
          'email',
          'status',
          'ban_reason',
          'banned_until',
          'server_id',
          'last_server_id',
          'login_count',
          'last_login_at',
          'last_login_ip',
          'created_at',
          'ip',
          'device',
          'os',
          'browse',
          'agent_id',
          'token_version',
        ])
        .where('account_key', '=', accountKey(account))
        .executeTakeFirst();
    },

    /** A ban ends every token at once. */
    async ban(account: string, ban: { reason: string | null; until: number | null }): Promise<boolean> {
      return changed(
        await ofAccount(account)
          .set(({ eb }) => ({
            status: 'banned',
            ban_reason: ban.reason,
            banned_until: ban.until,
            token_version: eb('token_version', '+', 1),
          }))
          .executeTakeFirst(),
      );
    },

    async unban(account: string): Promise<boolean> {
      return changed(
        await ofAccount(account)
          .set({ status: 'active', ban_reason: null, banned_until: null })
          .executeTakeFirst(),
      );
    },

    async signOut(account: string): Promise<boolean> {
      return changed(
        await ofAccount(account)
          .set(({ eb }) => ({ token_version: eb('token_version', '+', 1) }))
          .executeTakeFirst(),
      );
    },

    async setPassword(account: string, passwordHash: string): Promise<boolean> {
      return changed(
        await ofAccount(account)
          .set(({ eb }) => ({ password_hash: passwordHash, token_version: eb('token_version', '+', 1) }))
          .executeTakeFirst(),
      );
    },
  };
}

export function agentStore({ kysely }: Db) {
  return {
    all() {
      return kysely.selectFrom('agent').selectAll().orderBy('agent_id').execute();
    },

    async add(name: string): Promise<number> {
      const { insertId } = await kysely.insertInto('agent').values({ name }).executeTakeFirstOrThrow();
      return Number(insertId);
    },

    async close(agentId: number): Promise<boolean> {
      const { numUpdatedRows } = await kysely
        .updateTable('agent')
        .set({ status: 'closed' })
        .where('agent_id', '=', agentId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}
