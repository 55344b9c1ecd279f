import { sweepExpired } from '../../db/delete-in-batches.ts';
import { groupWriter } from '../../db/group-writer.ts';
import { lookup } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import { changedOne } from '../../db/unchanged.ts';

export interface NewTicket {
  readonly hash: string;
  readonly playerId: number;
  readonly serverId: number;
  readonly tokenVersion: number;
  /** The id of the token that the player entered with. */
  readonly sessionId: string;
  readonly lifetimeMs: number;
}

export interface Ticket extends Pick<NewTicket, 'playerId' | 'serverId' | 'tokenVersion'> {
  /** Neither used nor expired, by the database clock. */
  readonly isOpen: boolean;
  /** Null in tickets issued before they had one. */
  readonly sessionId: string | null;
  readonly usedBy: string | null;
  readonly usedAgoMs: number | null;
}

const MAX_GROUP_SIZE = 64;
/** How long an expired ticket is kept, because its first user may retry. */
const KEPT_MS = 60_000;

export function entryTicketStore(db: Db) {
  const { kysely, now } = db;
  const byHash = lookup(
    db,
    (hashes: string[]) =>
      kysely.selectFrom('entry_ticket').selectAll().select(now.as('now')).where('ticket_hash', 'in', hashes),
    (row) => row.ticket_hash,
  );
  // Concurrent entries share one statement and one flush to disk.
  const writer = groupWriter<NewTicket>(MAX_GROUP_SIZE, async (tickets) => {
    await kysely
      .insertInto('entry_ticket')
      .values(({ eb }) =>
        tickets.map(({ hash, playerId, serverId, tokenVersion, sessionId, lifetimeMs }) => ({
          ticket_hash: hash,
          player_id: playerId,
          server_id: serverId,
          token_version: tokenVersion,
          session_id: sessionId,
          expires_at: eb(now, '+', lifetimeMs),
        })),
      )
      .execute();
  });

  return {
    /** Durable when it returns. */
    add: (ticket: NewTicket) => writer.write([ticket]),

    async find(hash: string): Promise<Ticket | undefined> {
      const row = await byHash(hash);
      return (
        row && {
          playerId: row.player_id,
          serverId: row.server_id,
          tokenVersion: row.token_version,
          sessionId: row.session_id,
          isOpen: row.used_at === null && row.expires_at > row.now,
          usedBy: row.used_by,
          usedAgoMs: row.used_at === null ? null : row.now - row.used_at,
        }
      );
    },

    /** Returns true for one caller across all instances. */
    async use(hash: string, address: string): Promise<boolean> {
      return kysely
        .updateTable('entry_ticket')
        .set({ used_at: now, used_by: address })
        .where('ticket_hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .$call(changedOne);
    },

    deleteExpired: sweepExpired(db, 'entry_ticket', ['ticket_hash'], 'expires_at', KEPT_MS),
  };
}

export type EntryTicketStore = ReturnType<typeof entryTicketStore>;
