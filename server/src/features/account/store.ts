import { sql } from 'kysely';
import { duplicateKey } from '../../db/errors.ts';
import { compiledOnce, lookup } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import { type Trx, type VerifiableChange, verifiedTransaction } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';
import { accountKey } from '../../security/account-key.ts';
import { createPasswordHashes, type PasswordHashes } from '../../security/password-hashes.ts';
import { entryRecorder } from './entry-store.ts';
import {
  identityColumns,
  keptToken,
  otherColumns,
  type Player,
  type PlayerIdentity,
  type PlayerRow,
  StoredIdentity,
  StoredPlayer,
} from './player-store.ts';
import { hashRewriter } from './seal-store.ts';

export interface NewPlayer {
  readonly account: string;
  readonly passwordHash: string;
  readonly email: string;
  readonly serverId: number | null;
  readonly ip: string;
  readonly device: string;
  readonly os: string;
  readonly browse: string;
  readonly agentId: number | null;
}

export function accountStore(db: Db, hashes: PasswordHashes = createPasswordHashes()) {
  const { kysely } = db;
  // Bans and mutes expire by the database clock. Read it only if they have an end, because this runs for every request.
  const banned = sql<number>`case when status = 'banned' and (banned_until is null or banned_until > ${db.now}) then 1 else 0 end`;
  const mutedUntil = sql<number | null>`case when muted_until > ${db.now} then muted_until end`;
  const identities = () =>
    kysely
      .selectFrom('player')
      .select([...identityColumns, banned.as('banned'), mutedUntil.as('muted_until')]);
  const rows = () => identities().select(otherColumns);
  const toPlayer = (row: PlayerRow) => new StoredPlayer(row, hashes);
  const identityByKey = lookup(
    db,
    (keys: string[]) => identities().where('account_key', 'in', keys),
    (row) => row.account_key,
  );
  const identityById = lookup(
    db,
    (ids: number[]) => identities().where('id', 'in', ids),
    (row) => row.id,
  );
  const byKey = lookup(
    db,
    (keys: string[]) => rows().where('account_key', 'in', keys),
    (row) => row.account_key,
  );
  const byId = lookup(
    db,
    (ids: number[]) => rows().where('id', 'in', ids),
    (row) => row.id,
  );

  const insertPlayer = compiledOnce(
    (
      account: string,
      email: string,
      email_key: string | null,
      password_hash: string,
      password_argon2: string | null,
      server_id: number | null,
      ip: string,
      device: string,
      os: string,
      browse: string,
      agent_id: number | null,
    ) =>
      kysely.insertInto('player').values({
        account,
        email,
        email_key,
        password_hash,
        password_argon2,
        server_id,
        ip,
        device,
        os,
        browse,
        agent_id,
      }),
    11,
  );

  /** Writes the hash after the insert: sealing needs the row's id. */
  async function keepHash(trx: Trx, id: number, hash: string): Promise<void> {
    await trx.updateTable('player').set(hashes.columnsOf(hash, id)).where('id', '=', id).execute();
  }

  return {
    async identifyByAccount(account: string): Promise<PlayerIdentity | undefined> {
      const row = await identityByKey(accountKey(account));
      return row && new StoredIdentity(row, hashes);
    },

    async identifyById(id: number): Promise<PlayerIdentity | undefined> {
      const row = await identityById(id);
      return row && new StoredIdentity(row, hashes);
    },

    async findByAccount(account: string): Promise<Player | undefined> {
      const row = await byKey(accountKey(account));
      return row && toPlayer(row);
    },

    async findById(id: number): Promise<Player | undefined> {
      const row = await byId(id);
      return row && toPlayer(row);
    },

    async findByEmail(email: string): Promise<Player[]> {
      return (await rows().where('email', '=', email).limit(50).execute()).map(toPlayer);
    },

    async findActiveAgent(agentId: number): Promise<number | undefined> {
      const agent = await kysely
        .selectFrom('agent')
        .select('agent_id')
        .where('agent_id', '=', agentId)
        .where('status', '=', 'active')
        .executeTakeFirst();
      return agent?.agent_id;
    },

    /** Runs one transaction over several stores; see verifiedTransaction. */
    allOrNothing: (change: VerifiableChange) => verifiedTransaction(db, change),

    /** Inserts a new player. Returns its id, or which of its names another player has. */
    async addPlayer(trx: Trx, player: NewPlayer): Promise<number | 'account' | 'email'> {
      try {
        const { password_hash, password_argon2 } = hashes.sealing
          ? { password_hash: '', password_argon2: null }
          : hashes.columnsOf(player.passwordHash, 0);
        const { account, email, serverId, ip, device, os, browse, agentId } = player;
        const names = [account, email, email === '' ? null : email] as const;
        const { insertId } = await trx.executeQuery(
          insertPlayer([...names, password_hash, password_argon2, serverId, ip, device, os, browse, agentId]),
        );
        const id = Number(insertId);
        if (hashes.sealing) await keepHash(trx, id, player.passwordHash);
        return id;
      } catch (error) {
        const key = duplicateKey(error);
        if (key === 'player_account_key') return 'account';
        if (key === 'player_email_key') return 'email';
        throw error;
      }
    },

    /**
     * Sets a new password, which ends every earlier token. Returns false if the account no longer has the e-mail address that
     * the code was sent to.
     */
    async resetPassword(
      trx: Trx,
      { id, email }: { readonly id: number; readonly email: string },
      passwordHash: string,
    ): Promise<boolean> {
      return trx
        .updateTable('player')
        .set(({ eb }) => ({
          ...hashes.columnsOf(passwordHash, id),
          password_temporary: 0,
          token_version: eb('token_version', '+', 1),
        }))
        .where('id', '=', id)
        .where('email', '=', email)
        .where('erased_at', 'is', null)
        .$call(changedOne);
    },

    /** Ends every token except this one. Returns false if its version is no longer the player's. */
    async endOtherTokens(
      trx: Trx,
      id: number,
      { id: tokenId, version }: { id: string; version: number },
    ): Promise<boolean> {
      const next = version + 1;
      return trx
        .updateTable('player')
        .set({ token_version: next, kept_token: keptToken(next, tokenId) })
        .where('id', '=', id)
        .where('token_version', '=', version)
        .$call(changedOne);
    },

    /**
     * Locks the player's row for a login that proved the credentials of this token version. Returns false if a reset has ended
     * them meanwhile. The row must change, because a Galera cluster detects only conflicting writes; the login's own record,
     * which has the address too, replaces the time.
     */
    async holdVersion(trx: Trx, { id, tokenVersion }: Pick<Player, 'id' | 'tokenVersion'>): Promise<boolean> {
      return trx
        .updateTable('player')
        .set(({ eb }) => ({ last_login_at: eb(db.now, '-', 1000) }))
        .where('id', '=', id)
        .where('token_version', '=', tokenVersion)
        .$call(changedOne);
    },

    /** Records a reset, now or at an earlier time: the person behind the account may have changed. */
    async markReset(trx: Trx, id: number, at: number | Db['now'] = db.now): Promise<void> {
      await trx
        .updateTable('player')
        .set({ reset_at: at })
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('reset_at', 'is', null), eb('reset_at', '<', at)]))
        .execute();
    },

    /** Returns when the hold after a reset ends, or undefined if it has ended. Uses the database clock. */
    async heldUntil(id: number, holdMs: number): Promise<number | undefined> {
      const row = await kysely
        .selectFrom('player')
        .select('reset_at')
        .where('id', '=', id)
        .where(({ eb }) => eb('reset_at', '>', eb(db.now, '-', holdMs)))
        .executeTakeFirst();
      return row?.reset_at == null ? undefined : row.reset_at + holdMs;
    },

    /** Cancels a pending deletion. Returns false if its time has come. */
    async cancelDeletion(trx: Trx, id: number): Promise<boolean> {
      return trx
        .updateTable('player')
        .set({ deletion_at: null })
        .where('id', '=', id)
        .where('erased_at', 'is', null)
        .where(({ eb, or }) => or([eb('deletion_at', 'is', null), eb('deletion_at', '>', db.now)]))
        .$call(changedOne);
    },

    recordEntry: entryRecorder(db),

    ...hashRewriter(db, hashes),
  };
}

export type AccountStore = ReturnType<typeof accountStore>;
