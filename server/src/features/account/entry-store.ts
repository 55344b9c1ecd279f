import { sql } from 'kysely';
import { groupWriter } from '../../db/group-writer.ts';
import { compiledForMany } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import { generationalCache } from '../../runtime/generational-cache.ts';

/** A player enters a zone. */
export interface Entry {
  readonly playerId: number;
  readonly serverId: number;
  readonly address: string;
}

/** The combined effect of a group's entries on one player. */
type Change = [playerId: number, serverId: number, address: string, times: number];

type ZoneOfPlayer = [playerId: number, serverId: number];

const MAX_GROUP_SIZE = 64;
/** Zones of players that this process has written or read. The cache holds at most twice as many. */
const KNOWN_ZONES = 50_000;

/** Records an entry, durable when it returns. Concurrent entries are batched into one statement and one flush to disk. */
export function entryRecorder(db: Db): (entry: Entry) => Promise<void> {
  const update = compiledForMany((changes: Change[]) => {
    const each = <T>(pick: (change: Change) => T) =>
      sql<T>`case id ${sql.join(
        changes.map((change) => sql`when ${change[0]} then ${pick(change)}`),
        sql` `,
      )} end`;
    return db.kysely
      .updateTable('player')
      .set({
        last_login_at: db.now,
        last_server_id: each(([, serverId]) => serverId),
        last_login_ip: each(([, , address]) => address),
        login_count: sql<number>`login_count + ${each(([, , , times]) => times)}`,
      })
      .where(
        'id',
        'in',
        changes.map(([playerId]) => playerId),
      );
  }, 4);
  const addZones = compiledForMany((pairs: ZoneOfPlayer[]) => {
    const values = pairs.map(([player_id, server_id]) => ({ player_id, server_id }));
    const insert = db.kysely.insertInto('player_zone').values(values);
    return db.engine === 'mysql' ? insert.ignore() : insert.onConflict((conflict) => conflict.doNothing());
  }, 2);
  const known = generationalCache<string, true>(KNOWN_ZONES);

  // The engine retries a refused statement, which has changed nothing. One whose outcome was lost is never repeated.
  const writer = groupWriter<Entry>(MAX_GROUP_SIZE, async (entries) => {
    const changes = update(changesOf(entries));
    const unknown = new Map<string, ZoneOfPlayer>();
    for (const { playerId, serverId } of entries) {
      const key = `${playerId} ${serverId}`;
      if (!known.get(key)) unknown.set(key, [playerId, serverId]);
    }
    if (unknown.size === 0) {
      await db.kysely.executeQuery(changes);
      return;
    }
    const pairs = [...unknown.values()].sort(([a, inA], [b, inB]) => a - b || inA - inB);
    await db.transaction(async (trx) => {
      await trx.executeQuery(addZones(pairs));
      await trx.executeQuery(changes);
    });
    for (const key of unknown.keys()) known.set(key, true);
  });
  return (entry) => writer.write([entry]);
}

/**
 * Returns one change per player with the last zone and the number of entries, ordered by id so that all instances lock rows in
 * the same order.
 */
function changesOf(entries: readonly Entry[]): Change[] {
  const changes = new Map<number, Change>();
  for (const { playerId, serverId, address } of entries) {
    const times = (changes.get(playerId)?.[3] ?? 0) + 1;
    changes.set(playerId, [playerId, serverId, address, times]);
  }
  return [...changes.values()].sort(([a], [b]) => a - b);
}
