import type { ComparisonResult, Target } from './measure.ts';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Compares round by round, because adjacent rounds had the same machine load. */
export function ratioOf(rates: readonly number[], base: readonly number[]): Ratio {
  const ratios = rates.map((rate, round) => rate / (base[round] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

export interface Verdict extends Target {
  readonly ratio: Ratio;
  readonly p99: number;
  readonly holds: boolean;
}

export function judge({ figures, targets }: ComparisonResult): Verdict[] {
  const figuresOf = (name: string) => figures.find((each) => each.name === name);
  return targets.map((target) => {
    const [own, other] = [figuresOf(target.of), figuresOf(target.over)];
    const ratio = ratioOf(own?.rates ?? [], other?.rates ?? []);
    const p99 = median(own?.p99 ?? []) / median(other?.p99 ?? []);
    const { atLeast, maxP99 = Number.POSITIVE_INFINITY } = target;
    return { ...target, ratio, p99, holds: ratio.median >= atLeast && p99 <= maxP99 };
  });
}
