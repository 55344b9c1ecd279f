import type { Reason } from './clean.ts';
import type { Field, Side } from './origin.ts';
import type { Column } from './store.ts';

/** Counts of the rows by outcome. */
export interface Tally {
  read: number;
  imported: number;
  alreadyThere: number;
  unusable: Partial<Record<Reason, number>>;
  /** Imported without the old value of this column. */
  lost: Partial<Record<Column, number>>;
  /** Imported without a registration time, because the old data has none. */
  undated: number;
  /** Existing accounts that differ from the old data, by the side that changed since. */
  differing: Partial<Record<`${Field}_${Side}`, number>>;
  /** Texts that look like Chinese decoded with a Western encoding. */
  misread: { rows: number; example: string };
}

export function emptyTally(): Tally {
  return {
    read: 0,
    imported: 0,
    alreadyThere: 0,
    unusable: {},
    lost: {},
    undated: 0,
    differing: {},
    misread: { rows: 0, example: '' },
  };
}

export function countUnusable(tally: Tally): number {
  return Object.values(tally.unusable).reduce((sum, count) => sum + count, 0);
}

export function increment<K extends string>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
