import { startJob } from '../../runtime/job.ts';
import { type Reason, reasons } from './clean.ts';
import type { Plan } from './columns.ts';
import { type Difference, describe, type Field, type Side } from './merge.ts';
import type { Column } from './store.ts';

export interface Outcome {
  readonly tally: Tally;
  readonly plan: Plan;
  readonly applied: boolean;
  readonly ended: 'complete' | 'stopped';
  readonly resumable: boolean;
  readonly report: WrittenFile;
  readonly conflicts: WrittenFile;
}

interface WrittenFile {
  readonly file: string;
  readonly lines: number;
}

export const count = (value: number) => value.toLocaleString('en');

/** Returns the counts for people. */
export function summaryRows({ tally, applied }: Outcome): { outcome: string; rows: string }[] {
  const unusable = Object.entries(tally.unusable) as [Reason, number][];
  const lost = Object.entries(tally.lost);
  const differing = Object.entries(tally.differing);
  return [
    [applied ? 'imported' : 'would be imported', tally.imported] as const,
    ...lost.map(([column, rows]) => [`  of these without the ${column}, which is unreadable`, rows] as const),
    ...(tally.undated > 0 ? [['  of these with an unknown registration time', tally.undated] as const] : []),
    [applied ? 'updated' : 'would be updated', tally.updated] as const,
    ['kept', tally.kept] as const,
    ...differing.map(([what, rows]) => [`  ${describe(differenceOf(what))}`, rows] as const),
    ['already there, unchanged', tally.unchanged] as const,
    ['not usable', countUnusable(tally)] as const,
    ...unusable
      .sort(([, a], [, b]) => b - a)
      .map(([reason, rows]) => [`  ${reasons[reason]}`, rows] as const),
    ['read', tally.read] as const,
  ].map(([outcome, rows]) => ({ outcome, rows: count(rows) }));
}

function differenceOf(what: string): Difference {
  const [field, side] = what.split('_');
  return { field: field as Field, side: side as Side };
}

/** Returns the one line of a run. */
export function summaryLine({ tally, applied }: Pick<Outcome, 'tally' | 'applied'>): string {
  const line = `added ${tally.imported}, updated ${tally.updated}, kept ${tally.kept}, refused ${countUnusable(tally)}`;
  return applied ? line : `dry run: ${line}`;
}

/** Returns further notes for people. */
export function summaryNotes({
  tally,
  plan,
  applied,
  ended,
  resumable,
  report,
  conflicts,
}: Outcome): string[] {
  const notes: string[] = [];
  if (plan.unused.length > 0) notes.push(`columns not used: ${plan.unused.join(', ')}`);
  const { rows, example } = tally.misread;
  if (rows > 0)
    notes.push(
      `${count(rows)} account names look like Chinese read in a Western encoding (${example}): try --encoding gb18030`,
    );
  if (tally.incomparable > 0)
    notes.push(
      `${count(tally.incomparable)} accounts have a password hash that cannot be compared (argon2id, or sealed with another key); they keep it`,
    );
  if (report.lines > 0) notes.push(`rows that need attention: ${report.file}`);
  if (conflicts.lines > 0)
    notes.push(
      `changed on both sides: ${conflicts.file}; write here or there into its column decision, and import with --decisions FILE`,
    );
  if (!applied) notes.push('dry run: nothing was written; import with --apply');
  else if (ended === 'stopped') notes.push(`stopped; ${howToResume(tally, resumable)}`);
  return notes;
}

export function howToResume({ read }: Tally, resumable: boolean): string {
  const how = resumable ? 'continue with --resume' : 'run it again; existing accounts are recognised';
  return `${count(read)} rows are done, ${how}`;
}

/** Returns the summary for scripts. */
export function summaryJson({ tally, plan, applied, ended, report, conflicts }: Outcome) {
  return {
    applied,
    complete: ended === 'complete',
    read: tally.read,
    added: tally.imported,
    updated: tally.updated,
    kept: tally.kept,
    refused: countUnusable(tally),
    unchanged: tally.unchanged,
    conflicts: tally.conflicts,
    imported: tally.imported,
    already_there: tally.updated + tally.kept + tally.unchanged,
    not_usable: countUnusable(tally),
    reasons: tally.unusable,
    left_out: tally.lost,
    unknown_created_at: tally.undated,
    differing: tally.differing,
    not_comparable: tally.incomparable,
    misread: tally.misread.rows,
    unused_columns: plan.unused,
    report: report.lines > 0 ? report.file : null,
    conflicts_file: conflicts.lines > 0 ? conflicts.file : null,
  };
}

/** Counts of the rows by outcome. */
export const emptyTally = () => ({
  read: 0,
  imported: 0,
  /** Existing accounts that took a value of the old data. */
  updated: 0,
  /** Other existing accounts that differ from the old data. */
  kept: 0,
  unchanged: 0,
  /** Accounts with a field that both sides changed. */
  conflicts: 0,
  unusable: {} as Partial<Record<Reason, number>>,
  /** Imported without the old value of this column. */
  lost: {} as Partial<Record<Column, number>>,
  /** Imported without a registration time, because the old data has none. */
  undated: 0,
  /** Existing accounts that differ from the old data, by the side that changed since. */
  differing: {} as Partial<Record<`${Field}_${Side}`, number>>,
  /** Existing accounts whose password cannot be compared. */
  incomparable: 0,
  /** Texts that look like Chinese decoded with a Western encoding. */
  misread: { rows: 0, example: '' },
});

export type Tally = ReturnType<typeof emptyTally>;

export function countUnusable(tally: Tally): number {
  return Object.values(tally.unusable).reduce((sum, count) => sum + count, 0);
}

export function increment<K extends string>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

export interface ProgressOptions {
  readonly out: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly rows: () => number;
  /** The part of the source that has been read, from 0 to 1. */
  readonly fraction: () => number;
}

const TTY_MS = 200;
const LINE_MS = 1000;
const BAR = 24;

/** Shows a bar on a terminal, or a line per second elsewhere. Returns a function that ends it. */
export function showProgress({ out, rows, fraction }: ProgressOptions): () => void {
  const started = performance.now();
  const first = rows();

  const line = () => {
    const seconds = (performance.now() - started) / 1000;
    const share = fraction();
    const rate = Math.round((rows() - first) / seconds);
    const left = share > 0 ? ` ETA ${clock((seconds * (1 - share)) / share)}` : '';
    return `${Math.floor(share * 100)}%  ${count(rows())} rows  ${count(rate)} rows/s ${left}`;
  };
  const bar = () => {
    const filled = Math.round(fraction() * BAR);
    return `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ${line()}`;
  };
  const show = out.isTTY ? () => out.write(`\r\u001b[K${bar()}`) : () => out.write(`${line()}\n`);
  const intervalMs = out.isTTY ? TTY_MS : LINE_MS;
  const showing = startJob({ intervalMs, firstAfterMs: intervalMs, work: show });
  return () => {
    void showing.close();
    if (out.isTTY) out.write('\r\u001b[K');
  };
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
