import { statSync } from 'node:fs';
import { resolve } from 'node:path';

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
export function fileNames({ csv, table = '' }: Origin): { report: string; checkpoint: string } {
  const base = csv ?? `gatehouse-import-${table.replaceAll(/[^\w.-]/g, '_')}`;
  return { report: `${base}.report.csv`, checkpoint: `${base}.checkpoint.json` };
}

/** Returns the values that identify an import. A file changed meanwhile is another source. */
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
