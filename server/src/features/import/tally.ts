import type { Reason } from './clean.ts';
import type { Column } from './store.ts';

/** What became of the rows, counted. */
export interface Tally {
  read: number;
  imported: number;
  alreadyThere: number;
  unusable: Partial<Record<Reason, number>>;
  /** Imported, but without the old value of this column. */
  lost: Partial<Record<Column, number>>;
}

export function emptyTally(): Tally {
  return { read: 0, imported: 0, alreadyThere: 0, unusable: {}, lost: {} };
}

export function countUnusable(tally: Tally): number {
  return Object.values(tally.unusable).reduce((sum, count) => sum + count, 0);
}

export function increment<K extends string>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
