import { type FileHandle, open, rm } from 'node:fs/promises';
import { cell, textOfCell } from '../../http/csv.ts';
import { accountKey } from '../../security/account-key.ts';
import { openCsvFile } from './csv.ts';
import { type Decide, describe, fields, type Merge } from './merge.ts';
import type { Known, State } from './store.ts';

/** A row that an operator should check. */
export interface ReportLine {
  readonly at: string;
  readonly account: string;
  readonly outcome: 'skipped' | 'changed' | 'kept';
  readonly reason: string;
}

/** A field that was changed on both sides. */
export interface Conflict {
  readonly at: string;
  readonly account: string;
  readonly field: string;
  readonly reason: string;
  readonly here: string;
  readonly there: string;
  /** Filled in by a person: `here` or `there`. */
  readonly decision: string;
}

export const REPORT_COLUMNS = ['account', 'outcome', 'reason'] as const;
export const CONFLICT_COLUMNS = ['account', 'field', 'reason', 'here', 'there', 'decision'] as const;

export interface Report<Line> {
  readonly file: string;
  /** Lines written by this run. */
  readonly lines: number;
  write(lines: readonly Line[]): Promise<void>;
  close(): Promise<void>;
}

export interface ReportFile<Line> {
  readonly file: string;
  /** The name of the first column, which holds the position of the row. */
  readonly place: string;
  readonly columns: readonly (keyof Line & string)[];
  readonly append: boolean;
}

/** Writes lines to a CSV file, created with the first of them. */
export async function openReport<Line extends Record<keyof Line, string>>({
  file,
  place,
  columns,
  append,
}: ReportFile<Line>): Promise<Report<Line & { readonly at: string }>> {
  if (!append) await rm(file, { force: true });
  let handle: FileHandle | undefined;
  let lines = 0;

  async function opened(): Promise<FileHandle> {
    const created = await open(file, 'a', 0o600); // account names are private
    if ((await created.stat()).size === 0) await created.write(`${[place, ...columns].join()}\n`);
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
      const text = added.map((line) => [line.at, ...columns.map((column) => line[column])].map(cell).join());
      await handle.write(`${text.join('\n')}\n`);
    },
    async close() {
      await handle?.close();
    },
  };
}

/** Returns the fields that need a decision, for the file of conflicts. Hashes are not shown. */
export function conflictsOf(
  there: Unmerged,
  here: Pick<Known, 'email' | 'status'>,
  merge: Merge,
): Conflict[] {
  const { at, account, email = '', status = '' } = there;
  const values = { password: ['', ''], email: [here.email, email], status: [here.status, status] };
  return merge.differences
    .filter(({ field }) => merge.conflicts.includes(field))
    .map((difference) => {
      const { field } = difference;
      const [own = '', old = ''] = values[field];
      return { at, account, field, reason: describe(difference), here: own, there: old, decision: '' };
    });
}

interface Unmerged extends Pick<State, 'email' | 'status'> {
  readonly at: string;
  readonly account: string;
}

/** Reads a file of conflicts with its column `decision` filled in. Lines without a decision stay open. */
export async function readDecisions(file: string): Promise<(key: string) => Decide | undefined> {
  const decided = new Map<string, Map<string, 'here' | 'there'>>();
  const source = await openCsvFile({ file, delimiter: ',' });
  const columns = ['account', 'field', 'decision'];
  try {
    const missing = columns.find((column) => !source.columns.includes(column));
    if (missing !== undefined) throw new Error(`--decisions: ${file} has no column ${missing}`);
    for await (const rows of source.rows({ columns })) {
      for (const { at, fields: [account = '', field = '', decision = ''] = [] } of rows) {
        const word = decision.trim().toLowerCase();
        if (word === '') continue;
        if ((word !== 'here' && word !== 'there') || !(fields as readonly string[]).includes(field))
          throw new Error(
            `--decisions: line ${at} of ${file} must say here or there for password, email or status`,
          );
        const key = accountKey(textOfCell(account));
        const known = decided.get(key) ?? new Map();
        decided.set(key, known.set(field, word));
      }
    }
  } finally {
    source.close();
  }
  return (key) => {
    const byField = decided.get(key);
    return byField && ((field) => byField.get(field));
  };
}
