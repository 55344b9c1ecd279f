import { faults } from './faults.ts';
import { memoryGrowth } from './memory.ts';
import type { RunResult } from './run.ts';
import { goodTimes, type Kind, kinds, longestGap } from './timeline.ts';

/** What the full run guarantees besides losing nothing. */
export const LONGEST_GAP_MS = 3000;
export const LONGEST_PARTITION_GAP_MS = 6000;
export const MAX_GROWTH = 1.25;

export interface GapRow {
  readonly fault: string;
  readonly times: number;
  readonly isSingle: boolean;
  readonly isPartition: boolean;
  /** The longest gap of each kind, over all injections. */
  readonly gaps: Readonly<Record<Kind, number>>;
  /** Kinds that need the broken part and may wait for it. */
  readonly excused: readonly Kind[];
}

export function gapRows({ requests, windows }: RunResult): GapRow[] {
  const times = Object.fromEntries(kinds.map((kind) => [kind, goodTimes(requests, kind)]));
  return faults.flatMap(({ name, isSingle, isPartition = false, needs }) => {
    const injected = windows.filter(({ fault }) => fault === name);
    if (injected.length === 0) return [];
    const longest = (kind: Kind) =>
      Math.max(...injected.map((window) => longestGap(times[kind] ?? [], window)));
    const gaps = Object.fromEntries(kinds.map((kind) => [kind, longest(kind)])) as Record<Kind, number>;
    const excused = isSingle ? needs : kinds;
    return [{ fault: name, times: injected.length, isSingle, isPartition, gaps, excused }];
  });
}

/** Returns the longest gap of a kind that did not need the broken part. */
export function longestSingleGap(rows: readonly GapRow[]): number {
  return Math.max(
    0,
    ...rows.flatMap(({ gaps, excused }) =>
      kinds.filter((kind) => !excused.includes(kind)).map((kind) => gaps[kind]),
    ),
  );
}

export interface Measures {
  readonly rows: readonly GapRow[];
  readonly longestGap: number;
  readonly longestPartitionGap: number;
  readonly memoryGrowth: number;
  readonly holds: boolean;
}

export function measure(result: RunResult): Measures {
  const rows = gapRows(result);
  const longestGap = longestSingleGap(rows.filter(({ isPartition }) => !isPartition));
  const longestPartitionGap = longestSingleGap(rows.filter(({ isPartition }) => isPartition));
  const growth = memoryGrowth(result.memory);
  return {
    rows,
    longestGap,
    longestPartitionGap,
    memoryGrowth: growth,
    holds:
      longestGap <= LONGEST_GAP_MS && longestPartitionGap <= LONGEST_PARTITION_GAP_MS && growth <= MAX_GROWTH,
  };
}
