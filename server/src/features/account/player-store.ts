import type { Selectable } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { PasswordHashes, StoredPassword } from '../../security/password-hashes.ts';

/** What is read to confirm a token, at every request with one: who the player is, and whether they may play. */
export interface PlayerIdentity {
  readonly id: number;
  readonly account: string;
  readonly tokenVersion: number;
  readonly ban: { readonly reason: string | null; readonly until: number | null } | undefined;
  /** The mute in force: the player may not chat until then. */
  readonly mute: { readonly reason: string | null; readonly until: number } | undefined;
  /** Whether the account is being erased or has been. Nobody may log in to it, even if credentials are added to its row. */
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
  /** The hash without its seal: md5 or argon2id. */
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

/** Returns the stored form of the one token that stays valid when a new version ends the others. */
export const keptToken = (version: number, tokenId: string) => `${version} ${tokenId}`;

/** Columns of an identity. */
export const identityColumns = [
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

/** The other columns of a player. */
export const otherColumns = [
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

export type PlayerRow = IdentityRow & Pick<Columns, (typeof otherColumns)[number]>;

/** Derives most fields on access: most requests need only a few. */
export class StoredIdentity implements PlayerIdentity {
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

export class StoredPlayer extends StoredIdentity implements Player {
  readonly #row: PlayerRow;
  readonly #hashes: PasswordHashes;
  readonly deletionAt: number | null;

  constructor(row: PlayerRow, hashes: PasswordHashes) {
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
