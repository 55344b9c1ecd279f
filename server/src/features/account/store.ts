import { type Selectable, sql } from 'kysely';
import { duplicateKey } from '../../db/errors.ts';
import { compiledOnce, lookup } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';
import { type Trx, type VerifiableChange, verifiedTransaction } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';
import { accountKey } from '../../security/account-key.ts';
import {
  createPasswordHashes,
  type PasswordHashes,
  type StoredPassword,
} from '../../security/password-hashes.ts';
import { entryRecorder } from './entry-store.ts';
import { hashRewriter } from './seal-store.ts';

/** What confirms a token: who the player is, and whether they may play. Read for every request with a token. */
export interface PlayerIdentity {
  readonly id: number;
  readonly account: string;
  readonly tokenVersion: number;
  readonly ban: { readonly reason: string | null; readonly until: number | null } | undefined;
  /** In force: the player may not chat until then. */
  readonly mute: { readonly reason: string | null; readonly until: number } | undefined;
  /** Whether the account is being erased or was: nobody may log in to it, whatever is added to its row. */
  readonly isErased: boolean;
  /** Whether a login also needs a code. */
  readonly twoFactor: boolean;
  /** The one token of an earlier version that is still valid; see `keptToken`. */
  readonly keptToken: string | null;
  /** The md5 hash, which old game clients present, or an empty string. */
  readonly md5Token: string;
  /** When the player last used an md5 token. */
  readonly legacySeenAt: number | null;
}

/** A player, as used by the rules. */
export interface Player extends PlayerIdentity {
  /** The plain hash, md5 or argon2id, whether or not the row has it sealed. */
  readonly passwordHash: string;
  /** As stored in the row. */
  readonly stored: StoredPassword;
  /** The zone last entered, or the one chosen at registration. */
  readonly serverId: number | null;
  /** Addresses the owner usually connects from. */
  readonly usualAddresses: readonly string[];
  /** When the account will be erased, unless its owner logs in first. */
  readonly deletionAt: number | null;
  /** Whether an operator made the password. */
  readonly hasTemporaryPassword: boolean;
}

/** Returns how a token is stored that stays valid when a new version ends the others. */
export const keptToken = (version: number, tokenId: string) => `${version} ${tokenId}`;

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

const identityColumns = [
  'id',
  'account',
  'account_key',
  'token_version',
  'ban_reason',
  'banned_until',
  'mute_reason',
  'erased_at',
  'two_factor',
  'kept_token',
  'password_hash',
  'legacy_seen_at',
] as const;

const otherColumns = [
  'password_argon2',
  'server_id',
  'last_server_id',
  'ip',
  'last_login_ip',
  'deletion_at',
  'password_temporary',
] as const;

type Columns = Selectable<Database['player']>;

type IdentityRow = Pick<Columns, (typeof identityColumns)[number] | 'muted_until'> & {
  readonly banned: number;
};

type Row = IdentityRow & Pick<Columns, (typeof otherColumns)[number]>;

/** Derives most fields on access: most requests need only a few. */
class StoredIdentity implements PlayerIdentity {
  readonly #row: IdentityRow;
  readonly #hashes: PasswordHashes;
  readonly id: number;
  readonly account: string;
  readonly tokenVersion: number;
  readonly keptToken: string | null;
  readonly legacySeenAt: number | null;

  constructor(row: IdentityRow, hashes: PasswordHashes) {
    this.#row = row;
    this.#hashes = hashes;
    this.id = row.id;
    this.account = row.account;
    this.tokenVersion = row.token_version;
    this.keptToken = row.kept_token;
    this.legacySeenAt = row.legacy_seen_at;
  }

  get md5Token(): string {
    return this.#hashes.open(this.#row.password_hash, this.id);
  }

  get ban(): Player['ban'] {
    const { banned, ban_reason: reason, banned_until: until } = this.#row;
    return banned === 0 ? undefined : { reason, until };
  }

  get mute(): Player['mute'] {
    const { muted_until: until, mute_reason: reason } = this.#row;
    return until === null ? undefined : { reason, until };
  }

  get isErased(): boolean {
    return this.#row.erased_at !== null;
  }

  get twoFactor(): boolean {
    return this.#row.two_factor !== 0;
  }
}

class StoredPlayer extends StoredIdentity implements Player {
  readonly #row: Row;
  readonly #hashes: PasswordHashes;
  readonly deletionAt: number | null;

  constructor(row: Row, hashes: PasswordHashes) {
    super(row, hashes);
    this.#row = row;
    this.#hashes = hashes;
    this.deletionAt = row.deletion_at;
  }

  get passwordHash(): string {
    return this.#hashes.openRow(this.#row);
  }

  get stored(): StoredPassword {
    return this.#row;
  }

  get hasTemporaryPassword(): boolean {
    return this.#row.password_temporary !== 0;
  }

  get serverId(): number | null {
    return this.#row.last_server_id ?? this.#row.server_id;
  }

  get usualAddresses(): string[] {
    return [this.#row.last_login_ip, this.#row.ip].filter((address) => Boolean(address)) as string[];
  }
}

export function accountStore(db: Db, hashes: PasswordHashes = createPasswordHashes()) {
  const { kysely } = db;
  // Bans and mutes expire by the database clock, which is read only for those that end, because this runs for every request.
  const banned = sql<number>`case when status = 'banned' and (banned_until is null or banned_until > ${db.now}) then 1 else 0 end`;
  const mutedUntil = sql<number | null>`case when muted_until > ${db.now} then muted_until end`;
  const identities = () =>
    kysely
      .selectFrom('player')
      .select([...identityColumns, banned.as('banned'), mutedUntil.as('muted_until')]);
  const rows = () => identities().select(otherColumns);
  const toPlayer = (row: Row) => new StoredPlayer(row, hashes);
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

    /** Cancels a pending deletion. Returns false if the erasure has begun. */
    async cancelDeletion(trx: Trx, id: number): Promise<boolean> {
      return trx
        .updateTable('player')
        .set({ deletion_at: null })
        .where('id', '=', id)
        .where('erased_at', 'is', null)
        .$call(changedOne);
    },

    recordEntry: entryRecorder(db),

    ...hashRewriter(db, hashes),
  };
}

export type AccountStore = ReturnType<typeof accountStore>;
