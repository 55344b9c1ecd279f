import { type Reason, reasons } from './clean.ts';
import type { Plan } from './columns.ts';
import { type Difference, describe, type Field, type Side } from './origin.ts';
import { countUnusable, type Tally } from './tally.ts';

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
