import { type QueryExecutorProvider, sql } from 'kysely';
import { bigint, type Flavour, type Table } from '../ddl.ts';

/** Which zones a player has entered: operators of a zone see its players, however long ago they came. */
const playerZone = {
  name: 'player_zone',
  columns: { player_id: bigint(), server_id: bigint() },
  primaryKey: ['player_id', 'server_id'],
  index: [['server_id', 'player_id']],
} as const satisfies Table;

/** Small, because MariaDB locks the rows while it copies them. */
const BATCH = 10_000;

/** Where earlier entries are recorded, and by which column they are read batch by batch. */
const sources = [
  { table: 'player', key: 'id', player: 'id', zone: 'last_server_id' },
  { table: 'withdraw', key: 'player_id', player: 'player_id', zone: 'server_id' },
  { table: 'player_login', key: 'id', player: 'player_id', zone: 'server_id', kind: 'enter' },
] as const;

export const playerZones = {
  name: '0080-player-zones',
  tables: [playerZone],
  extensions: [{ table: 'player', index: [['server_id']] }],
  async fill(db: QueryExecutorProvider, flavour: Flavour): Promise<void> {
    const insert = sql.raw(flavour === 'sqlite' ? 'insert or ignore' : 'insert ignore');
    for (const { table, key, player, zone, ...only } of sources) {
      const [from, id] = [sql.table(table), sql.ref(key)];
      const { rows } = await sql<{ last: number | null }>`select max(${id}) as last from ${from}`.execute(db);
      const kind = 'kind' in only ? sql`and kind = ${only.kind}` : sql``;
      for (let after = 0; after < (rows[0]?.last ?? 0); after += BATCH)
        await sql`${insert} into player_zone (player_id, server_id)
          select ${sql.ref(player)}, ${sql.ref(zone)} from ${from}
          where ${id} > ${after} and ${id} <= ${after + BATCH} and ${sql.ref(zone)} is not null ${kind}`.execute(
          db,
        );
    }
  },
} as const;
