import type { Command } from 'commander';
import { openTakeoverAdmin } from '../features/takeover/admin/module.ts';
import type { OpenPoint, TakeoverStatus } from '../features/takeover/admin/status.ts';
import { command, type Options, withDatabase } from './context.ts';
import { say } from './language.ts';
import { print, printLine } from './output.ts';
import { time } from './time.ts';

export function takeoverCommand(): Command {
  return command('takeover').addCommand(statusCommand());
}

function statusCommand(): Command {
  return command('status', 'show accounts here and there, old clients left, and what is still open').action(
    (options: Options & { json?: boolean }) =>
      withDatabase(options, async (db, settings) => {
        const status = await openTakeoverAdmin({ db, settings }).status();
        if (options.json) printLine(JSON.stringify(status, null, 2));
        else printStatus(status);
      }),
  );
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
  legacy_clients: (count) => `up to ${count} accounts a day still use md5 tokens of old game clients`,
  retired_hits: (count) => `${count} requests for retired paths in the last 7 days`,
};
