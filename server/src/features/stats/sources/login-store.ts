import type { StatCell } from '../../../db/day-stat.ts';
import type { Db } from '../../../db/open.ts';
import type { LocalTime } from '../../../runtime/time.ts';
import type { Position, StatSource } from '../store.ts';
import { readByTime } from './by-time-store.ts';

interface FirstLogin {
  readonly day: string;
  readonly hour: number;
  readonly playerId: number;
  readonly serverId: number;
}

const LOGIN_KINDS = ['login', 'forum'];

/** Sums logins and distinct players by the zone last entered, and entries by the zone entered. */
export function loginSource(db: Db, time: LocalTime): StatSource {
  const { kysely } = db;
  /** Returns which of these players had already logged in on that day. */
  async function known(
    day: string,
    playerIds: readonly number[],
    { position, afterId }: Position,
  ): Promise<Set<number>> {
    const { from, to } = time.spanOf(day);
    const rows = await kysely
      .selectFrom('player_login')
      .select('player_id')
      .where('player_id', 'in', playerIds)
      .where('at', '>=', from)
      .where('at', '<', to)
      .where('kind', 'in', LOGIN_KINDS)
      .where('at', '<=', position)
      .where(({ eb, or }) => or([eb('at', '<', position), eb('id', '<=', Number(afterId))]))
      .groupBy('player_id')
      .execute();
    return new Set(rows.map((row) => row.player_id));
  }

  async function countPlayers(logins: readonly FirstLogin[], upTo: Position): Promise<StatCell[]> {
    const cells: StatCell[] = [];
    for (const [day, ofDay] of Map.groupBy(logins, (login) => login.day)) {
      // A player's first login decides the hour: in reverse order it comes last and replaces the others in the map.
      const first = new Map(ofDay.toReversed().map((login) => [login.playerId, login]));
      const before = await known(day, [...first.keys()], upTo);
      for (const [playerId, { serverId, hour }] of first)
        if (!before.has(playerId)) cells.push(...withHour('players', { day, hour, serverId }));
    }
    return cells;
  }

  const withZone = kysely
    .selectFrom('player_login')
    .leftJoin('player', 'player.id', 'player_login.player_id')
    .select(['player_login.id', 'player_id', 'at', 'kind', 'player_login.server_id as entered'])
    .select(({ fn }) => fn.coalesce('player.last_server_id', 'player.server_id').as('zone'));

  return {
    name: 'player_login',
    sums: ['logins', 'logins_by_hour', 'players', 'players_by_hour', 'entries', 'entries_by_hour'],

    /** Logins in the journal are not in the table yet, and have times before theirs. */
    async head() {
      const now = await db.readTime();
      const journal = await kysely
        .selectFrom('player_login_journal')
        .select(({ fn }) => fn.min('created_at').as('oldest'))
        .executeTakeFirst();
      return Math.min(now, Number(journal?.oldest ?? now));
    },

    read: readByTime(
      {
        rows: withZone,
        at: 'at',
        id: 'player_login.id',
        idFrom: Number,
        positionOf: (row) => ({ position: row.at, afterId: String(row.id) }),
      },
      async (rows, after) => {
        const cells: StatCell[] = [];
        const logins: FirstLogin[] = [];
        for (const { player_id: playerId, at, kind, entered, zone } of rows) {
          const { day, hour } = time.at(at);
          if (kind === 'enter') cells.push(...withHour('entries', { day, hour, serverId: entered ?? 0 }));
          if (!LOGIN_KINDS.includes(kind)) continue;
          const login = { day, hour, playerId, serverId: zone ?? 0 };
          cells.push(...withHour('logins', login));
          logins.push(login);
        }
        return [...cells, ...(await countPlayers(logins, after))];
      },
    ),
  };
}

function withHour(
  name: 'logins' | 'players' | 'entries',
  { day, hour, serverId }: Omit<FirstLogin, 'playerId'>,
): StatCell[] {
  return [
    { name, day, serverId, part: 0, n: 1 },
    { name: `${name}_by_hour`, day, serverId, part: hour, n: 1 },
  ];
}
