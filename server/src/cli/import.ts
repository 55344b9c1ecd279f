import type { Command } from 'commander';
import type { Db } from '../db/open.ts';
import { openImportAdmin } from '../features/import/admin/module.ts';
import {
  fileNames,
  identityOf,
  openCheckpoint,
  originOf,
  withoutLogin,
} from '../features/import/checkpoint.ts';
import { CONFLICT_COLUMNS, openReport, REPORT_COLUMNS, readDecisions } from '../features/import/report.ts';
import {
  countUnusable,
  emptyTally,
  howToResume,
  type Outcome,
  showProgress,
  summaryJson,
  summaryLine,
  summaryNotes,
  summaryRows,
} from '../features/import/summary.ts';
import { openTakeoverAdmin } from '../features/takeover/admin/module.ts';
import type { Settings } from '../settings/schema.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, positive, wholeNumber, withDatabase } from './context.ts';
import { say } from './language.ts';
import {
  INTERRUPTED,
  type Interruption,
  listenForInterruption,
  type OpenedSource,
  type SourceOptions,
  withSource,
  withSourceOptions,
} from './old-source.ts';
import { print, printLine } from './output.ts';
import { time } from './time.ts';

interface ImportOptions extends Change, SourceOptions {
  readonly dryRun?: boolean;
  readonly apply?: boolean;
  readonly batch: number;
  readonly resume?: boolean;
  readonly watch?: number;
  readonly report?: string;
  readonly conflicts?: string;
  readonly decisions?: string;
  readonly strict?: boolean;
}

const MAX_BATCH = 20_000;

export function importCommand(): Command {
  return withSourceOptions(changing('import'))
    .option('--dry-run', 'only report what would happen (default)')
    .option('--apply', 'write the accounts')
    .option('--watch <seconds>', 'repeat until Ctrl-C, with this pause', positive)
    .option('--batch <rows>', 'rows per transaction', wholeNumber, 2000)
    .option('--resume', 'continue an interrupted import')
    .option('--report <file>', 'where to list the rows that need attention')
    .option('--conflicts <file>', 'where to list what was changed on both sides')
    .option('--decisions <file>', 'a file of conflicts with its column decision filled in: here or there')
    .option('--strict', 'exit with status 1 if any row was unusable')
    .action((options: ImportOptions) => {
      if (options.dryRun && options.apply) throw new Error('--dry-run and --apply cannot be combined');
      if (options.batch < 1 || options.batch > MAX_BATCH)
        throw new Error(`--batch must be between 1 and ${MAX_BATCH}`);
      return withDatabase(options, async (db, settings) => {
        const interruption = listenForInterruption();
        const run = (again: boolean) =>
          withSource(options, (opened) =>
            runImport({ ...opened, options, db, settings, interruption, again }),
          );
        try {
          const outcome = await run(false);
          if (options.watch === undefined) printOutcome(outcome, options);
          else await watch({ first: outcome, seconds: options.watch, interruption, run, options });
        } finally {
          interruption.close();
        }
      });
    });
}

interface Watch {
  readonly first: Outcome;
  readonly seconds: number;
  readonly interruption: Interruption;
  readonly run: (again: boolean) => Promise<Outcome>;
  readonly options: ImportOptions;
}

/** Repeats the import. A later run that fails is reported and tried again, because either database may be restarted. */
async function watch({ first, seconds, interruption, run, options: { json } }: Watch): Promise<void> {
  const report = (outcome: Outcome) =>
    printLine(
      json
        ? JSON.stringify({ at: time(Date.now()), ...summaryJson(outcome) })
        : `${time(Date.now())}  ${say(summaryLine(outcome))}`,
    );
  report(first);
  if (!json) for (const note of summaryNotes(first)) printLine(note);
  for (;;) {
    await interruption.wait(seconds * 1000);
    if (interruption.requested()) return;
    try {
      report(await run(true));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      process.stderr.write(`gatehouse: ${say(`${message}; next attempt in ${seconds} s`)}\n`);
    }
  }
}

interface Opened extends OpenedSource {
  readonly options: ImportOptions;
  readonly db: Db;
  readonly settings: Settings;
  readonly interruption: Interruption;
  /** Whether this is a later run of a watch. */
  readonly again: boolean;
}

async function runImport(opened: Opened): Promise<Outcome> {
  const { options, db, settings, source, plan, statuses, interruption, again } = opened;
  const applied = options.apply === true;
  const resumes = options.resume === true && !again;
  if (resumes && !source.resumable)
    throw new Error('--resume needs a table whose primary key is a single column; omit it');
  const names = fileNames(options);
  const checkpoint = openCheckpoint({
    file: names.checkpoint,
    identity: [identityOf(options), plan.columns, plan.sources, withoutLogin(settings.database.url)],
  });
  const earlier = resumes ? await checkpoint.read() : undefined;
  const tally = { ...emptyTally(), ...earlier?.tally };
  // Decisions are for the values in their file; a later run of a watch may find other values.
  const decisionsOf =
    options.decisions === undefined || again ? () => undefined : await readDecisions(options.decisions);
  const file = { place: source.place, append: earlier !== undefined };
  const [report, conflicts] = [
    await openReport({ ...file, file: options.report ?? names.report, columns: REPORT_COLUMNS }),
    await openReport({ ...file, file: options.conflicts ?? names.conflicts, columns: CONFLICT_COLUMNS }),
  ];
  const endProgress =
    options.watch === undefined
      ? showProgress({ out: process.stderr, rows: () => tally.read, fraction: source.fraction })
      : () => {};

  try {
    const ended = await openImportAdmin({ db, settings }).run(cliActor(), {
      origin: originOf(options),
      reason: options.reason,
      source,
      plan,
      statuses,
      timeZone: settings.time_zone,
      report,
      conflicts,
      decisionsOf,
      checkpoint: applied && source.resumable ? checkpoint : undefined,
      after: earlier?.at,
      apply: applied,
      batch: options.batch,
      stopping: interruption.requested,
      tally,
    });
    if (applied && ended === 'complete') await checkpoint.clear();
    const outcome = { tally, plan, applied, ended, resumable: source.resumable, report, conflicts };
    if (applied)
      await openTakeoverAdmin({ db, settings }).saveSource({
        ...figuresOf(outcome, options),
        watch: options.watch ?? 0,
      });
    return outcome;
  } catch (error) {
    const hint = applied && tally.read > 0 ? `; ${howToResume(tally, source.resumable)}` : '';
    throw new Error(`${error instanceof Error ? error.message : error}${hint}`, { cause: error });
  } finally {
    endProgress();
    await Promise.all([report.close(), conflicts.close()]);
  }
}

/** Returns the figures of a source for the state of a takeover. */
export function figuresOf({ tally, ended }: Pick<Outcome, 'tally' | 'ended'>, options: SourceOptions) {
  return {
    source: Object.values(originOf(options)).join(' '),
    accounts: tally.read,
    kept: tally.kept,
    conflicts: tally.conflicts,
    refused: countUnusable(tally),
    complete: ended === 'complete',
  };
}

function printOutcome(outcome: Outcome, { json, strict }: ImportOptions): void {
  if (json) printLine(JSON.stringify(summaryJson(outcome), null, 2));
  else {
    print(summaryRows(outcome).map((row) => ({ ...row, outcome: say(row.outcome) })));
    printLine(summaryLine(outcome));
    for (const note of summaryNotes(outcome)) printLine(note);
  }
  if (outcome.ended === 'stopped') process.exitCode = INTERRUPTED;
  else if (strict && countUnusable(outcome.tally) > 0) process.exitCode = 1;
}
