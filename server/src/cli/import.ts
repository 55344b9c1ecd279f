import type { Command } from 'commander';
import type { Db } from '../db/open.ts';
import { openImportAdmin } from '../features/import/admin/module.ts';
import {
  fileNames,
  identityOf,
  type Origin,
  openCheckpoint,
  originOf,
  withoutLogin,
} from '../features/import/checkpoint.ts';
import { parseColumnMap, parseStatuses, planColumns } from '../features/import/columns.ts';
import { decoderFor, openCsvFile } from '../features/import/csv.ts';
import {
  countUnusable,
  emptyTally,
  howToResume,
  type Outcome,
  openReport,
  showProgress,
  summaryJson,
  summaryNotes,
  summaryRows,
} from '../features/import/summary.ts';
import { type OldAccounts, openOldAccounts } from '../integrations/old-accounts.ts';
import type { Settings } from '../settings/schema.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, wholeNumber, withDatabase } from './context.ts';
import { say } from './language.ts';
import { print, printLine } from './output.ts';

interface ImportOptions extends Change, Origin {
  readonly map: string;
  readonly dryRun?: boolean;
  readonly apply?: boolean;
  readonly batch: number;
  readonly resume?: boolean;
  readonly report?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

const MAX_BATCH = 20_000;

export function importCommand(): Command {
  return changing('import')
    .option('--csv <file>', 'from a CSV file with a header row')
    .option('--from <url>', 'from an old database: mysql://user:password@host/name')
    .option('--table <name>', 'the table of the old database')
    .option('--map <pairs>', 'player columns and their source columns: account=username,…', '')
    .option('--status <pairs>', 'what old status values mean: 0=active,1=banned', '')
    .option(
      '--encoding <name>',
      'encoding of the CSV file, or of latin1 columns of the table that hold another encoding: gb18030, big5',
    )
    .option('--delimiter <character>', 'field delimiter of the CSV file', ',')
    .option('--dry-run', 'only report what would happen (default)')
    .option('--apply', 'write the accounts')
    .option('--batch <rows>', 'rows per transaction', wholeNumber, 2000)
    .option('--resume', 'continue an interrupted import')
    .option('--report <file>', 'where to list the rows that need attention')
    .option('--strict', 'exit with status 1 if any row was unusable')
    .action((options: ImportOptions) => {
      if (options.dryRun && options.apply) throw new Error('--dry-run and --apply cannot be combined');
      if (options.batch < 1 || options.batch > MAX_BATCH)
        throw new Error(`--batch must be between 1 and ${MAX_BATCH}`);
      return withDatabase(options, async (db, settings) => {
        const source = await openSource(options);
        try {
          await runImport({ options, db, settings, source });
        } finally {
          source.close();
        }
      });
    });
}

function openSource({ csv, from, table, encoding, delimiter }: ImportOptions): Promise<OldAccounts> {
  if ((csv === undefined) === (from === undefined))
    throw new Error('specify where the accounts come from: --csv FILE, or --from URL --table NAME');
  if (csv !== undefined) {
    if (delimiter.length !== 1) throw new Error('--delimiter must be one character');
    return openCsvFile({ file: csv, encoding, delimiter });
  }
  if (table === undefined) throw new Error('--from needs --table NAME');
  if (from === undefined || !/^(mysql|mariadb):\/\/[^/]+\/[^/]+/.test(from))
    throw new Error('--from must be mysql://user:password@host:port/name');
  const decoder = encoding === undefined ? undefined : decoderFor(encoding);
  return openOldAccounts({ url: from, table, decode: decoder && ((bytes) => decoder.decode(bytes)) });
}

interface Opened {
  readonly options: ImportOptions;
  readonly db: Db;
  readonly settings: Settings;
  readonly source: OldAccounts;
}

async function runImport({ options, db, settings, source }: Opened): Promise<void> {
  const applied = options.apply === true;
  const plan = planColumns(parseColumnMap(options.map), source.columns);
  const statuses = parseStatuses(options.status);
  if (options.resume && !source.resumable)
    throw new Error('--resume needs a table whose primary key is a single column; omit it');
  const names = fileNames(options);
  const checkpoint = openCheckpoint({
    file: names.checkpoint,
    identity: [identityOf(options), plan.columns, plan.sources, withoutLogin(settings.database.url)],
  });
  const earlier = options.resume ? await checkpoint.read() : undefined;
  const tally = { ...emptyTally(), ...earlier?.tally };
  const report = await openReport({
    file: options.report ?? names.report,
    place: source.place,
    append: earlier !== undefined,
  });
  const interruption = listenForInterruption();
  const endProgress = showProgress({
    out: process.stderr,
    rows: () => tally.read,
    fraction: source.fraction,
  });

  try {
    const ended = await openImportAdmin({ db, settings }).run(cliActor(), {
      origin: originOf(options),
      reason: options.reason,
      source,
      plan,
      statuses,
      timeZone: settings.time_zone,
      report,
      checkpoint: applied && source.resumable ? checkpoint : undefined,
      after: earlier?.at,
      apply: applied,
      batch: options.batch,
      stopping: interruption.requested,
      tally,
    });
    if (applied && ended === 'complete') await checkpoint.clear();
    endProgress();
    printOutcome({ tally, plan, applied, ended, resumable: source.resumable, report }, options);
  } catch (error) {
    const hint = applied && tally.read > 0 ? `; ${howToResume(tally, source.resumable)}` : '';
    throw new Error(`${error instanceof Error ? error.message : error}${hint}`, { cause: error });
  } finally {
    endProgress();
    interruption.close();
    await report.close();
  }
}

function printOutcome(outcome: Outcome, { json, strict }: ImportOptions): void {
  if (json) printLine(JSON.stringify(summaryJson(outcome), null, 2));
  else {
    print(
      summaryRows(outcome).map((row) => ({ ...row, outcome: say(row.outcome) })),
      {},
    );
    for (const note of summaryNotes(outcome)) printLine(note);
  }
  if (outcome.ended === 'stopped') process.exitCode = INTERRUPTED;
  else if (strict && countUnusable(outcome.tally) > 0) process.exitCode = 1;
}

/** The exit status that shells report for an interrupted program. */
export const INTERRUPTED = 130;

/** Requests a stop after the current batch. A second signal ends the process at once. */
export function listenForInterruption(): { requested: () => boolean; close: () => void } {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  let requested = false;
  const close = () => {
    for (const signal of signals) process.off(signal, ask);
  };
  const ask = () => {
    requested = true;
    close();
  };
  for (const signal of signals) process.on(signal, ask);
  return { requested: () => requested, close };
}
