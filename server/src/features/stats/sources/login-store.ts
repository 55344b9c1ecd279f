import type { StatCell } from '../../../db/day-stat.ts';
import type { Db } from '../../../db/open.ts';
import type { LocalTime } from '../../../runtime/time.ts';
import type { StatSource } from '../store.ts';

interface FirstLogin {
  readonly day: string;
  readonly playerId: number;
  readonly serverId: number;
}

const LOGIN_KINDS = ['login', 'forum'];

/** Sums logins and distinct players by the zone last entered, and entries by the zone entered. */
export function loginSource({ kysely }: Db, time: LocalTime): StatSource {
  /** Returns which of these players had already logged in on that day. */
  async function known(day: string, playerIds: readonly number[], upToId: number): Promise<Set<number>> {
    const { from, to } = time.spanOf(day);
    const rows = await kysely
      .selectFrom('player_login')
      .select('player_id')
      .where('player_id', 'in', playerIds)
      .where('at', '>=', from)
      .where('at', '<', to)
      .where('kind', 'in', LOGIN_KINDS)
      .where('id', '<=', upToId)
      .groupBy('player_id')
      .execute();
    return new Set(rows.map((row) => row.player_id));
  }

  async function countPlayers(logins: readonly FirstLogin[], upToId: number): Promise<StatCell[]> {
    const cells: StatCell[] = [];
    for (const [day, ofDay] of Map.groupBy(logins, (login) => login.day)) {
      const zones = new Map(ofDay.map(({ playerId, serverId }) => [playerId, serverId]));
      const before = await known(day, [...zones.keys()], upToId);
      for (const [playerId, serverId] of zones)
        if (!before.has(playerId)) cells.push({ name: 'players', day, serverId, part: 0, n: 1 });
    }
    return cells;
  }

  return {
    name: 'player_login',
    sums: ['logins', 'players', 'entries'],

    async head() {
      const row = await kysely
        .selectFrom('player_login')
        .select(({ fn }) => fn.max<number | null>('id').as('newest'))
        .executeTakeFirst();
      return row?.newest ?? 0;
    },

    async read({ position }, limit, until) {
      let query = kysely
        .selectFrom('player_login')
        .leftJoin('player', 'player.id', 'player_login.player_id')
        .select(['player_login.id', 'player_id', 'at', 'kind', 'player_login.server_id as entered'])
        .select(({ fn }) => fn.coalesce('player.last_server_id', 'player.server_id').as('zone'))
        .where('player_login.id', '>', position);
      if (until !== undefined) query = query.where('player_login.id', '<=', until);
      const rows = await query.orderBy('player_login.id').limit(limit).execute();
      const last = rows.at(-1);
      if (!last) return undefined;
      const cells: StatCell[] = [];
      const logins: FirstLogin[] = [];
      for (const { player_id: playerId, at, kind, entered, zone } of rows) {
        const { day } = time.at(at);
        if (kind === 'enter') cells.push({ name: 'entries', day, serverId: entered ?? 0, part: 0, n: 1 });
        if (!LOGIN_KINDS.includes(kind)) continue;
        cells.push({ name: 'logins', day, serverId: zone ?? 0, part: 0, n: 1 });
        logins.push({ day, playerId, serverId: zone ?? 0 });
      }
      cells.push(...(await countPlayers(logins, position)));
      return { cells, next: { position: last.id, afterId: '' } };
    },
  };
}
