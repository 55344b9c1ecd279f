import { type FileHandle, open, rm } from 'node:fs/promises';
import { startJob } from '../../runtime/job.ts';
import { type Reason, reasons } from './clean.ts';
import { type Difference, describe, type Field, type Plan, type Side } from './columns.ts';
import type { Column } from './store.ts';

export interface Outcome {
  readonly tally: Tally;
  readonly plan: Plan;
  readonly applied: boolean;
  readonly ended: 'complete' | 'stopped';
  readonly resumable: boolean;
  readonly report: { readonly file: string; readonly lines: number };
}

export const count = (value: number) => value.toLocaleString('en');

/** Returns the counts for people. */
export function summaryRows({ tally, applied }: Outcome): { outcome: string; rows: string }[] {
  const unusable = Object.entries(tally.unusable) as [Reason, number][];
  const lost = Object.entries(tally.lost);
  // Rows with another password are counted as not usable.
  const differing = Object.entries(tally.differing).filter(([what]) => !what.startsWith('password'));
  return [
    [applied ? 'imported' : 'would be imported', tally.imported] as const,
    ...lost.map(([column, rows]) => [`  of these without an unreadable ${column}`, rows] as const),
    ...(tally.undated > 0 ? [['  of these with an unknown registration time', tally.undated] as const] : []),
    ['already there', tally.alreadyThere] as const,
    ...differing.map(([what, rows]) => [`  ${describe(differenceOf(what))}`, rows] as const),
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

/** Returns further notes for people. */
export function summaryNotes({ tally, plan, applied, ended, resumable, report }: Outcome): string[] {
  const notes: string[] = [];
  if (plan.unused.length > 0) notes.push(`columns not used: ${plan.unused.join(', ')}`);
  const { rows, example } = tally.misread;
  if (rows > 0)
    notes.push(
      `${count(rows)} account names look like Chinese read in a Western encoding (${example}): try --encoding gb18030`,
    );
  if (report.lines > 0) notes.push(`rows that need attention: ${report.file}`);
  if (!applied) notes.push('dry run: nothing was written; import with --apply');
  else if (ended === 'stopped') notes.push(`stopped; ${howToResume(tally, resumable)}`);
  return notes;
}

export function howToResume({ read }: Tally, resumable: boolean): string {
  const how = resumable ? 'continue with --resume' : 'run it again; existing accounts are recognised';
  return `${count(read)} rows are done, ${how}`;
}

/** Returns the summary for scripts. */
export function summaryJson({ tally, plan, applied, ended, report }: Outcome) {
  return {
    applied,
    complete: ended === 'complete',
    read: tally.read,
    imported: tally.imported,
    already_there: tally.alreadyThere,
    not_usable: countUnusable(tally),
    reasons: tally.unusable,
    left_out: tally.lost,
    unknown_created_at: tally.undated,
    differing: tally.differing,
    misread: tally.misread.rows,
    unused_columns: plan.unused,
    report: report.lines > 0 ? report.file : null,
  };
}

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

export interface ReportLine {
  readonly at: string;
  readonly account: string;
  readonly outcome: 'skipped' | 'changed' | 'differs';
  readonly reason: string;
}

export interface Report {
  readonly file: string;
  /** Lines written by this run. */
  readonly lines: number;
  write(lines: readonly ReportLine[]): Promise<void>;
  close(): Promise<void>;
}

/** Writes rows that an operator should check to a CSV file, created with the first of them. */
export async function openReport({
  file,
  place,
  append,
}: {
  file: string;
  place: string;
  append: boolean;
}): Promise<Report> {
  if (!append) await rm(file, { force: true });
  let handle: FileHandle | undefined;
  let lines = 0;

  async function opened(): Promise<FileHandle> {
    const created = await open(file, 'a', 0o600); // account names are private
    if ((await created.stat()).size === 0) await created.write(`${place},account,outcome,reason\n`);
    return created;
  }

  return {
    file,
    get lines() {
      return lines;
    },
    async write(added) {
      if (added.length === 0) return;
      handle ??= await opened();
      lines += added.length;
      await handle.write(added.map(toCsv).join(''));
    },
    async close() {
      await handle?.close();
    },
  };
}

function toCsv({ at, account, outcome, reason }: ReportLine): string {
  return `${[at, account, outcome, reason].map(cell).join(',')}\n`;
}

/** Escapes a cell. Players choose their names, and a spreadsheet must not read one as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface ProgressParts {
  readonly out: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly rows: () => number;
  /** The part of the source that has been read, from 0 to 1. */
  readonly fraction: () => number;
}

const TTY_MS = 200;
const LINE_MS = 1000;
const BAR = 24;

/** Shows a bar on a terminal, or a line per second elsewhere. Returns a function that ends it. */
export function showProgress({ out, rows, fraction }: ProgressParts): () => void {
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
