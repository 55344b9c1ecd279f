import type { StatCell, StatName } from '../../db/day-stat.ts';
import {
  type Cursor,
  type DaySum,
  isByTime,
  START,
  type StatSource,
  type StatStore,
  type ZoneSum,
} from './store.ts';

/** Rows newer than the sums are counted one by one, up to this many. */
const MAX_TAIL = 20_000;
const MAX_TRIES = 3;

export interface FigureDeps {
  readonly sources: readonly StatSource[];
  readonly stats: StatStore;
}

export interface FigureQuery {
  readonly names: readonly StatName[];
  /** Inclusive, like `to`. */
  readonly from: string;
  readonly to: string;
  /** Null for all. */
  readonly zones: readonly number[] | null;
}

export type ReadFigures = ReturnType<typeof readFigures>;

/** Reads the daily sums plus rows not summed yet, so that the figures are always current. */
export function readFigures(deps: FigureDeps) {
  return (query: FigureQuery): Promise<DaySum[]> =>
    readWithTail(deps, query, ({ sums }) => sums(query.names, query, query.zones));
}

export function readByZone(deps: FigureDeps) {
  return async (name: StatName, day: string): Promise<ReadonlyMap<number, number>> => {
    const query = { names: [name], from: day, to: day, zones: null };
    const found = await readWithTail<ZoneSum>(deps, query, ({ sumsByZone }) => sumsByZone(name, day));
    const totals = new Map<number, number>();
    for (const { serverId, n } of found) totals.set(serverId, (totals.get(serverId) ?? 0) + n);
    return totals;
  };
}

async function readWithTail<Sum extends DaySum | ZoneSum>(
  { sources, stats }: FigureDeps,
  query: FigureQuery,
  readSums: (stats: StatStore) => Promise<Sum[]>,
): Promise<(Sum | StatCell)[]> {
  async function tailOf(
    source: StatSource,
    cursor: Cursor | undefined,
    { names, from, to, zones }: FigureQuery,
  ): Promise<StatCell[]> {
    if (!source.sums.some((name) => names.includes(name))) return [];
    // Summed by version 0.2.0: the next run of the job starts over.
    if (cursor && !isByTime(cursor) && cursor.position > 0) return [];
    const tail = await source.read(cursor ?? START, MAX_TAIL);
    const isWanted = (day: string, serverId: number) =>
      day >= from && day <= to && (zones === null || zones.includes(serverId));
    return (tail?.cells ?? []).filter(
      ({ name, day, serverId }) => names.includes(name) && isWanted(day, serverId),
    );
  }

  for (let attempt = 1; ; attempt++) {
    const positions = await stats.positions();
    const sums = await readSums(stats);
    const tails = await Promise.all(
      sources.map((source) => tailOf(source, positions.get(source.name), query)),
    );
    // Rows summed in the meantime would be counted twice or not at all.
    const moved = !sameEntries(positions, await stats.positions());
    if (!moved || attempt === MAX_TRIES) return [...sums, ...tails.flat()];
  }
}

const sameEntries = (a: ReadonlyMap<string, Cursor>, b: ReadonlyMap<string, Cursor>) =>
  JSON.stringify([...a]) === JSON.stringify([...b]);
