import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Tally } from './summary.ts';

export interface Progress {
  /** The last finished row. */
  readonly at: string;
  readonly tally: Tally;
}

/** Stores the progress of an import. `identity` names source and target: another import must not resume from here. */
export function openCheckpoint({ file, identity }: { file: string; identity: unknown }) {
  const print = hash('sha256', JSON.stringify(identity));

  return {
    file,
    /** Returns where an earlier run of the same import stopped. */
    async read() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      const { print: other, ...progress } = JSON.parse(text) as Progress & { print: string };
      if (other !== print)
        throw new Error(
          `${file} belongs to another import, or its source has changed; omit --resume: existing accounts are recognised`,
        );
      return progress;
    },
    async save(progress: Progress) {
      await writeFile(`${file}.new`, JSON.stringify({ print, ...progress }));
      await rename(`${file}.new`, file);
    },
    clear: () => rm(file, { force: true }),
  };
}

export type Checkpoint = ReturnType<typeof openCheckpoint>;

/** The source of the accounts, as the operator named it. */
export interface Origin {
  readonly csv?: string;
  readonly from?: string;
  readonly table?: string;
  readonly status: string;
  readonly encoding?: string;
  readonly delimiter: string;
}

/** Returns the paths next to the CSV file or, for a table, in the working folder. */
export function fileNames(
  { csv, table = '' }: Pick<Origin, 'csv' | 'table'>,
  work = 'import',
): Record<'report' | 'conflicts' | 'checkpoint', string> {
  const base = csv ?? `gatehouse-${work}-${table.replaceAll(/[^\w.-]/g, '_')}`;
  return {
    report: `${base}.report.csv`,
    conflicts: `${base}.conflicts.csv`,
    checkpoint: `${base}.checkpoint.json`,
  };
}

/** Returns the values that identify an import. A file that has changed counts as another source. */
export function identityOf({ csv, from = '', table, status, encoding, delimiter }: Origin): unknown[] {
  if (csv === undefined) return [withoutLogin(from), table, status, encoding];
  const { size, mtimeMs } = statSync(csv);
  return [resolve(csv), size, mtimeMs, encoding, delimiter, status];
}

/** Returns the source for the audit. */
export function originOf({ csv, from = '', table = '' }: Origin) {
  return csv === undefined ? { database: withoutLogin(from), table } : { file: csv };
}

export const withoutLogin = (url: string) => url.replace(/^([^/]*\/\/).*@/, '$1');
