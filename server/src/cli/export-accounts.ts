import type { Command } from 'commander';
import type { Db } from '../db/open.ts';
import { openImportAdmin } from '../features/import/admin/module.ts';
import { fileNames, originOf } from '../features/import/checkpoint.ts';
import { parseConstants } from '../features/import/columns.ts';
import { type ExportTally, emptyExport, type Limit, limits } from '../features/import/export-accounts.ts';
import { CONFLICT_COLUMNS, openReport, REPORT_COLUMNS, readDecisions } from '../features/import/report.ts';
import { count, showProgress } from '../features/import/summary.ts';
import { openOldAccountsWriter } from '../integrations/old-accounts-writer.ts';
import type { Settings } from '../settings/schema.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, withDatabase } from './context.ts';
import { say } from './language.ts';
import {
  INTERRUPTED,
  listenForInterruption,
  MYSQL_URL,
  type SourceOptions,
  withColumnOptions,
  withSource,
} from './old-source.ts';
import { printLine } from './output.ts';

interface ExportOptions extends Change, Omit<SourceOptions, 'from' | 'csv' | 'delimiter'> {
  readonly to?: string;
  readonly set: string;
  readonly dryRun?: boolean;
  readonly apply?: boolean;
  readonly report?: string;
  readonly conflicts?: string;
  readonly decisions?: string;
}

export function exportAccountsCommand(): Command {
  return withColumnOptions(
    changing('export-accounts').option('--to <url>', 'the old database: mysql://user:password@host/name'),
  )
    .option('--set <pairs>', 'values of further columns for new rows: groupid=1,salt=', '')
    .option('--dry-run', 'only report what would happen (default)')
    .option('--apply', 'write to the old table')
    .option('--report <file>', 'where to list the rows that need attention')
    .option('--conflicts <file>', 'where to list what was changed on both sides')
    .option('--decisions <file>', 'a file of conflicts with its column decision filled in: here or there')
    .action((options: ExportOptions) => {
      if (options.dryRun && options.apply) throw new Error('--dry-run and --apply cannot be combined');
      if (options.to === undefined || !MYSQL_URL.test(options.to))
        throw new Error('--to must be mysql://user:password@host:port/name');
      if (options.table === undefined) throw new Error('--to needs --table NAME');
      const { to, table } = options;
      return withDatabase(options, (db, settings) =>
        examineAndWrite({ options: { ...options, to, table }, db, settings }),
      );
    });
}

interface Opened {
  readonly options: ExportOptions & { readonly to: string; readonly table: string };
  readonly db: Db;
  readonly settings: Settings;
}

/** Runs without writing first and prints what the old table cannot store. Only then writes. */
async function examineAndWrite(opened: Opened): Promise<void> {
  const { apply, json } = opened.options;
  const examined = await runExport(opened, false);
  if (!json) printLimits(examined.tally);
  const outcome = apply && examined.ended === 'complete' ? await runExport(opened, true) : examined;
  printOutcome(outcome, opened.options);
}

interface ExportOutcome {
  readonly tally: ExportTally;
  readonly ended: 'complete' | 'stopped';
  readonly applied: boolean;
  readonly report: string | null;
  readonly conflicts: string | null;
}

function runExport({ options, db, settings }: Opened, apply: boolean): Promise<ExportOutcome> {
  const from = { ...options, from: options.to, delimiter: ',' };
  return withSource(from, async ({ source, plan, statuses }) => {
    const { to: url, table, encoding } = options;
    const writer = await openOldAccountsWriter({ url, table, encoding });
    const names = fileNames(options, 'export');
    const file = { place: source.place, append: false };
    const [report, conflicts] = [
      await openReport({ ...file, file: options.report ?? names.report, columns: REPORT_COLUMNS }),
      await openReport({ ...file, file: options.conflicts ?? names.conflicts, columns: CONFLICT_COLUMNS }),
    ];
    const tally = emptyExport();
    const interruption = listenForInterruption();
    const endProgress = showProgress({
      out: process.stderr,
      rows: () => tally.read,
      fraction: source.fraction,
    });
    try {
      const ended = await openImportAdmin({ db, settings }).export(cliActor(), {
        target: originOf(from) as { database: string; table: string },
        reason: options.reason,
        source,
        writer,
        plan,
        constants: parseConstants(options.set),
        statuses,
        timeZone: settings.time_zone,
        report,
        conflicts,
        decisionsOf:
          options.decisions === undefined ? () => undefined : await readDecisions(options.decisions),
        apply,
        stopping: interruption.requested,
        tally,
      });
      const written = ({ lines, file: name }: typeof report | typeof conflicts) => (lines > 0 ? name : null);
      return { tally, ended, applied: apply, report: written(report), conflicts: written(conflicts) };
    } finally {
      endProgress();
      interruption.close();
      writer.close();
      await Promise.all([report.close(), conflicts.close()]);
    }
  });
}

function printLimits({ limits: counts }: ExportTally): void {
  const found = Object.entries(counts) as [Limit, number][];
  printLine(
    found.length === 0
      ? 'the old table can store everything that changed here'
      : 'accounts that the old table cannot store completely:',
  );
  for (const [limit, accounts] of found) printLine(`  ${count(accounts)} ${say(limits[limit])}`);
}

function printOutcome(
  { tally, ended, applied, report, conflicts }: ExportOutcome,
  { json }: ExportOptions,
): void {
  const { added, updated, kept, refused, limits: cannotStore } = tally;
  if (json)
    printLine(
      JSON.stringify(
        {
          applied,
          complete: ended === 'complete',
          read: tally.read,
          ...{ added, updated, kept, refused },
          conflicts: tally.conflicts,
          cannot_store: cannotStore,
          report,
          conflicts_file: conflicts,
        },
        null,
        2,
      ),
    );
  else {
    const line = `added ${added}, updated ${updated}, kept ${kept}, refused ${refused}`;
    printLine(applied ? line : `dry run: ${line}`);
    if (report !== null) printLine(`rows that need attention: ${report}`);
    if (conflicts !== null)
      printLine(
        `changed on both sides: ${conflicts}; write here or there into its column decision, and export with --decisions FILE`,
      );
    if (!applied) printLine('dry run: nothing was written; export with --apply');
    if (ended === 'stopped') printLine('stopped; run the same command again to continue');
  }
  if (ended === 'stopped') process.exitCode = INTERRUPTED;
}
