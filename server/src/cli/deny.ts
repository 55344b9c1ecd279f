import type { Command } from 'commander';
import { openControlAdmin } from '../features/controls/admin/module.ts';
import { cliActor } from './actor.ts';
import {
  type Change,
  changing,
  command,
  nonEmpty,
  type Options,
  wholeNumber,
  withDatabase,
} from './context.ts';
import { print, printLine, printResult } from './output.ts';
import { readable } from './readable-refusal.ts';
import { futureMoment, time } from './time.ts';

export function denyCommand(): Command {
  return command('deny').addCommand(list()).addCommand(add()).addCommand(remove());
}

function list(): Command {
  return command('list', 'list the current entries').action((options: Options & { json?: boolean }) =>
    withDatabase(options, async (db, settings) => {
      const { denied } = await openControlAdmin({ db, base: () => settings }).list();
      print(
        denied.map((entry) => ({ ...entry, until: time(entry.until), at: time(entry.at) })),
        { ...options, empty: 'no entries' },
      );
    }),
  );
}

function add(): Command {
  return changing('add', 'deny an address, a CIDR block or a range')
    .argument('<entry>', 'such as 203.0.113.7, 203.0.113.0/24 or 203.0.113.7-203.0.113.9', nonEmpty)
    .option('--until <time>', 'when it ends: a time, or 7d, 12h, 30m from now; default never', futureMoment)
    .action((entry: string, options: Change & { until?: number; json?: boolean }) =>
      withDatabase(options, async (db, settings) => {
        const { until, reason } = options;
        const admin = openControlAdmin({ db, base: () => settings });
        const { id } = await readable(admin.deny(cliActor(), { entry, until, reason }));
        printLine(
          options.json
            ? JSON.stringify({ id })
            : `entry ${id} added; remove it with: gatehouse deny remove ${id}`,
        );
      }),
    );
}

function remove(): Command {
  return changing('remove', 'remove an entry')
    .argument('<id>', 'ID as shown by list', wholeNumber)
    .action((id: number, options: Change) =>
      withDatabase(options, async (db, settings) => {
        const admin = openControlAdmin({ db, base: () => settings });
        await readable(admin.allow(cliActor(), { id, reason: options.reason }), `there is no entry ${id}`);
        printResult(`entry ${id} removed`);
      }),
    );
}
