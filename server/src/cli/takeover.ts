import type { Command } from 'commander';
import type { Db } from '../db/open.ts';
import { openImportAdmin } from '../features/import/admin/module.ts';
import { originOf } from '../features/import/checkpoint.ts';
import { emptyTally } from '../features/import/summary.ts';
import { openTakeoverAdmin } from '../features/takeover/admin/module.ts';
import type { OpenPoint, TakeoverStatus } from '../features/takeover/admin/status.ts';
import type { Settings } from '../settings/schema.ts';
import { cliActor } from './actor.ts';
import { command, type Options, withDatabase } from './context.ts';
import { figuresOf } from './import.ts';
import { say } from './language.ts';
import { type SourceOptions, withSource, withSourceOptions } from './old-source.ts';
import { print, printLine } from './output.ts';
import { shadowCommand } from './takeover-shadow.ts';
import { time } from './time.ts';

export function takeoverCommand(): Command {
  return command('takeover').addCommand(statusCommand()).addCommand(shadowCommand());
}

type StatusOptions = Options & SourceOptions;

function statusCommand(): Command {
  return withSourceOptions(
    command('status', 'show accounts here and there, old clients left, and what is still open'),
  ).action((options: StatusOptions) =>
    withDatabase(options, async (db, settings) => {
      const compared =
        (options.from ?? options.csv) ? await compareNow({ options, db, settings }) : undefined;
      const status = await openTakeoverAdmin({ db, settings }).status(compared);
      if (options.json) printLine(JSON.stringify(status, null, 2));
      else printStatus(status);
    }),
  );
}

/** Reads the source now, as a dry run of the import does, instead of showing the figures of the last import. */
function compareNow({ options, db, settings }: { options: StatusOptions; db: Db; settings: Settings }) {
  return withSource(options, async ({ source, plan, statuses }) => {
    const tally = emptyTally();
    const nowhere = { write: async () => {} };
    const ended = await openImportAdmin({ db, settings }).run(cliActor(), {
      origin: originOf(options),
      source,
      plan,
      statuses,
      timeZone: settings.time_zone,
      report: nowhere,
      conflicts: nowhere,
      decisionsOf: () => undefined,
      checkpoint: undefined,
      after: undefined,
      apply: false,
      batch: 2000,
      stopping: () => false,
      tally,
    });
    const { imported, updated, kept } = tally;
    return { ...figuresOf({ tally, ended }, options), kept: imported + updated + kept, watch: 0 };
  });
}

function printStatus({ accounts_here, sources, days, open }: TakeoverStatus): void {
  printLine(`${accounts_here} accounts here`);
  for (const { source, accounts, kept, conflicts, refused, at, watch } of sources) {
    printLine(`${accounts} accounts in ${source}, compared at ${time(Date.parse(at))}`);
    printLine(`  ${kept} rows differ, ${conflicts} of them changed on both sides; ${refused} rows refused`);
    if (watch > 0) printLine(`  compared every ${watch} s`);
  }
  const used = days.filter(({ legacy_accounts, retired_hits }) => legacy_accounts + retired_hits > 0);
  printLine('');
  print(
    used.map(({ retired, ...day }) => ({ ...day, ...retired })),
    { empty: 'no md5 token and no retired path was used in the last 14 days' },
  );
  for (const [against, title] of Object.entries(TITLES)) {
    const points = open.filter((point) => point.against === against);
    printLine('');
    printLine(points.length === 0 ? NOTHING[against as OpenPoint['against']] : title);
    for (const { code, count } of points) printLine(`  ${say(POINTS[code](count))}`);
  }
}

const TITLES: Record<OpenPoint['against'], string> = {
  cut_over: 'before you cut over:',
  close: 'before you close the old service:',
};

const NOTHING: Record<OpenPoint['against'], string> = {
  cut_over: 'nothing stands against cutting over',
  close: 'nothing stands against closing the old service',
};

const POINTS: Record<OpenPoint['code'], (count: number) => string> = {
  not_imported: () => 'no accounts were imported yet: gatehouse import',
  import_incomplete: () => 'the last import was stopped before the end: run it again',
  import_old: () =>
    'the last comparison is older than an hour: run gatehouse import again, or with --watch 30',
  conflicts: (count) => `${count} rows changed on both sides: decide in the file of conflicts`,
  refused: (count) => `${count} rows were refused; these players could not log in: see the report`,
  no_zones: () => 'there is no zone that players can enter: gatehouse zone add',
  no_way_back: () =>
    'auth.password_hash is "argon2id": passwords set here cannot be carried back; use "md5" until the old service is closed',
  too_early: (count) => `players have not logged in here for a week yet: wait ${count} more days`,
  legacy_clients: (count) => `up to ${count} accounts a day still use md5 tokens of old game clients`,
  retired_hits: (count) => `${count} requests for retired paths in the last 7 days`,
};
