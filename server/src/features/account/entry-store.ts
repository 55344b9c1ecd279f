import { sql } from 'kysely';
import { groupWriter } from '../../db/group-writer.ts';
import type { Db } from '../../db/open.ts';
import { compiledForMany } from '../../db/prepared.ts';

/** A player enters a zone. */
export interface Entry {
  readonly playerId: number;
  readonly serverId: number;
  readonly address: string;
}

/** What entries of one group change of a player. */
type Change = [playerId: number, serverId: number, address: string, times: number];

const MAX_GROUP_SIZE = 64;

/** Records an entry, durable when it returns. Entries of the same moment are one statement, and so one flush to disk. */
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
  // A statement that was refused has done nothing and is sent again by the engine; a lost one is never repeated.
  const writer = groupWriter<Entry>(MAX_GROUP_SIZE, async (entries) => {
    await db.kysely.executeQuery(update(changesOf(entries)));
  });
  return (entry) => writer.write([entry]);
}

/** One change for each player: the last entry stands, all are counted. In the order of ids, as every instance locks them. */
function changesOf(entries: readonly Entry[]): Change[] {
  const changes = new Map<number, Change>();
  for (const { playerId, serverId, address } of entries) {
    const times = (changes.get(playerId)?.[3] ?? 0) + 1;
    changes.set(playerId, [playerId, serverId, address, times]);
  }
  return [...changes.values()].sort(([a], [b]) => a - b);
}
