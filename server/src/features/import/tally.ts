import type { Reason } from './clean.ts';
import type { Field, Side } from './origin.ts';
import type { Column } from './store.ts';

/** What became of the rows, counted. */
export interface Tally {
  read: number;
  imported: number;
  alreadyThere: number;
  unusable: Partial<Record<Reason, number>>;
  /** Imported, but without the old value of this column. */
  lost: Partial<Record<Column, number>>;
  /** Imported without a registration time, since the old data had none. */
  undated: number;
  /** Of those that are there: what differs from the old data, and who changed it since. */
  differing: Partial<Record<`${Field}_${Side}`, number>>;
  /** Texts that look like Chinese read in a Western encoding. */
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
