import type { Command } from 'commander';
import { openControlAdmin } from '../features/controls/admin/module.ts';
import {
  type Change,
  changing,
  command,
  jsonOrText,
  nonEmpty,
  type Options,
  wholeNumber,
} from './context.ts';
import { operate } from './operate.ts';
import { print, printResult } from './output.ts';
import { futureMoment, time } from './time.ts';

const withControls = operate((db, settings) => openControlAdmin({ db, base: () => settings }));

export function controlCommand(): Command {
  return command('control').addCommand(list()).addCommand(set()).addCommand(clear());
}

function list(): Command {
  return command('list', 'list the controls and their overrides').action((options: Options) =>
    withControls(options, async (admin) => {
      const { controls } = await admin.list();
      const rows = controls.map(({ name, setting, override }) => ({
        name,
        value: override?.value ?? null,
        setting,
        until: time(override?.until ?? null),
        by: override?.by ?? null,
        at: time(override?.at ?? null),
        reason: override?.reason ?? null,
      }));
      print(rows, options);
    }),
  );
}

function set(): Command {
  return changing('set', 'override a setting; takes effect on every instance within seconds')
    .argument('<name>', 'day_max_reg or withdraw.enabled')
    .argument('<value>', 'a number, true or false', jsonOrText)
    .option('--until <time>', 'when it ends: a time, or 7d, 12h, 30m from now; default never', futureMoment)
    .action((name: string, value: unknown, options: Change & { until?: number }) =>
      withControls({ ...options, missing: `there is no control ${name}` }, async (admin, actor) => {
        const { until, reason } = options;
        await admin.set(actor, { name, value, until, reason });
        const end = until === undefined ? 'it is cleared' : time(until);
        printResult(`${name} is ${JSON.stringify(value)} until ${end}`);
      }),
    );
}

function clear(): Command {
  return changing('clear', 'remove an override; the settings file applies again')
    .argument('<name>', 'day_max_reg or withdraw.enabled')
    .action((name: string, options: Change) =>
      withControls({ ...options, missing: `${name} is not overridden` }, async (admin, actor) => {
        await admin.clear(actor, { name, reason: options.reason });
        printResult(`${name} has the value of the settings file again`);
      }),
    );
}

export function denyCommand(): Command {
  return command('deny').addCommand(listDenied()).addCommand(deny()).addCommand(allow());
}

function listDenied(): Command {
  return command('list', 'list the current entries').action((options: Options) =>
    withControls(options, async (admin) => {
      const { denied } = await admin.list();
      const rows = denied.map((entry) => ({ ...entry, until: time(entry.until), at: time(entry.at) }));
      print(rows, { ...options, empty: 'no entries' });
    }),
  );
}

function deny(): Command {
  return changing('add', 'deny an address, a CIDR block or a range')
    .argument('<entry>', 'such as 203.0.113.7, 203.0.113.0/24 or 203.0.113.7-203.0.113.9', nonEmpty)
    .option('--until <time>', 'when it ends: a time, or 7d, 12h, 30m from now; default never', futureMoment)
    .action((entry: string, options: Change & { until?: number }) =>
      withControls(options, async (admin, actor) => {
        const { until, reason } = options;
        const { id } = await admin.deny(actor, { entry, until, reason });
        printResult(`entry ${id} added; remove it with: gatehouse deny remove ${id}`, { id });
      }),
    );
}

function allow(): Command {
  return changing('remove', 'remove an entry')
    .argument('<id>', 'ID as shown by list', wholeNumber)
    .action((id: number, options: Change) =>
      withControls({ ...options, missing: `there is no entry ${id}` }, async (admin, actor) => {
        await admin.allow(actor, { id, reason: options.reason });
        printResult(`entry ${id} removed`);
      }),
    );
}
