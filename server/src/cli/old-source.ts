import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Origin } from '../features/import/checkpoint.ts';
import {
  type ColumnMap,
  type Plan,
  parseColumnMap,
  parseStatuses,
  planColumns,
  requireKnownHash,
} from '../features/import/columns.ts';
import { decoderFor, openCsvFile } from '../features/import/csv.ts';
import { type OldAccounts, openOldAccounts } from '../integrations/old-accounts.ts';

/** The table or file of the old accounts, and what its columns mean. */
export interface SourceOptions extends Origin {
  readonly map: string;
  readonly hash: string;
}

/** Adds the options that say what the columns of an old table mean. */
export const withColumnOptions = (command: Command) =>
  command
    .option('--table <name>', 'the table of the old database')
    .option('--map <pairs>', 'player columns and their source columns: account=username,…', '')
    .option('--status <pairs>', 'what old status values mean: 0=active,1=banned', '')
    .option('--hash <rule>', 'how the old service computes its password hashes', 'md5(password+key)')
    .option(
      '--encoding <name>',
      'encoding of the CSV file, or of latin1 columns of the table that hold another encoding: gb18030, big5',
    );

export const withSourceOptions = (command: Command) =>
  withColumnOptions(
    command
      .option('--csv <file>', 'from a CSV file with a header row')
      .option('--from <url>', 'from an old database: mysql://user:password@host/name'),
  ).option('--delimiter <character>', 'field delimiter of the CSV file', ',');

export interface OpenedSource {
  readonly source: OldAccounts;
  readonly plan: Plan;
  readonly statuses: ReadonlyMap<string, string>;
}

/** Opens the source that the options name, and closes it after `work`. */
export async function withSource<T>(
  options: SourceOptions,
  work: (opened: OpenedSource) => Promise<T>,
): Promise<T> {
  requireKnownHash(options.hash);
  const statuses = parseStatuses(options.status);
  const map: ColumnMap = parseColumnMap(options.map);
  const source = await openSource(options);
  try {
    return await work({ source, plan: planColumns(map, source.columns), statuses });
  } finally {
    source.close();
  }
}

function openSource({ csv, from, table, encoding, delimiter }: Origin): Promise<OldAccounts> {
  if ((csv === undefined) === (from === undefined))
    throw new Error('specify where the accounts come from: --csv FILE, or --from URL --table NAME');
  if (csv !== undefined) {
    if (delimiter.length !== 1) throw new Error('--delimiter must be one character');
    return openCsvFile({ file: csv, encoding, delimiter });
  }
  if (table === undefined) throw new Error('--from needs --table NAME');
  if (from === undefined || !MYSQL_URL.test(from))
    throw new Error('--from must be mysql://user:password@host:port/name');
  return openOldAccounts({ url: from, table, decode: decodeOf(encoding) });
}

export const MYSQL_URL = /^(mysql|mariadb):\/\/[^/]+\/[^/]+/;

export function decodeOf(encoding: string | undefined): ((bytes: Uint8Array) => string) | undefined {
  const decoder = encoding === undefined ? undefined : decoderFor(encoding);
  return decoder && ((bytes) => decoder.decode(bytes));
}

/** The exit status that shells report for an interrupted program. */
export const INTERRUPTED = 130;

/** Requests a stop after the current batch. A second signal ends the process immediately. */
export function listenForInterruption() {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const asked = new AbortController();
  const close = () => {
    for (const signal of signals) process.off(signal, ask);
  };
  const ask = () => {
    asked.abort();
    close();
  };
  for (const signal of signals) process.on(signal, ask);
  return {
    requested: () => asked.signal.aborted,
    /** Waits for a time or until an interruption. */
    wait: (ms: number) => sleep(ms, undefined, { signal: asked.signal }).catch(() => {}),
    close,
  };
}

export type Interruption = ReturnType<typeof listenForInterruption>;
