import type { Command } from 'commander';
import { openControlAdmin } from '../features/controls/admin/module.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, command, type Options, withDatabase } from './context.ts';
import { print, printResult } from './output.ts';
import { readable } from './readable-refusal.ts';
import { futureMoment, time } from './time.ts';

const openAdmin = (options: Options, work: (admin: ReturnType<typeof openControlAdmin>) => Promise<void>) =>
  withDatabase(options, (db, settings) => work(openControlAdmin({ db, base: () => settings })));

export function controlCommand(): Command {
  return command('control').addCommand(list()).addCommand(set()).addCommand(clear());
}

function list(): Command {
  return command('list', 'list the controls and their overrides').action(
    (options: Options & { json?: boolean }) =>
      openAdmin(options, async (admin) => {
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
    .argument('<value>', 'a number, true or false', parseValue)
    .option('--until <time>', 'when it ends: a time, or 7d, 12h, 30m from now; default never', futureMoment)
    .action((name: string, value: unknown, options: Change & { until?: number }) =>
      openAdmin(options, async (admin) => {
        const { until, reason } = options;
        await readable(admin.set(cliActor(), { name, value, until, reason }), `there is no control ${name}`);
        const end = until === undefined ? 'it is cleared' : time(until);
        printResult(`${name} is ${JSON.stringify(value)} until ${end}`);
      }),
    );
}

function clear(): Command {
  return changing('clear', 'remove an override; the settings file applies again')
    .argument('<name>', 'day_max_reg or withdraw.enabled')
    .action((name: string, options: Change) =>
      openAdmin(options, async (admin) => {
        const change = admin.clear(cliActor(), { name, reason: options.reason });
        await readable(change, `${name} is not overridden`);
        printResult(`${name} has the value of the settings file again`);
      }),
    );
}

/** Returns invalid JSON as text, which fits no control and is refused as such. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
