import { type Command, InvalidArgumentError } from 'commander';
import { openLegacyAdmin } from '../features/legacy-tokens/admin/module.ts';
import { openStatsAdmin } from '../features/stats/admin/module.ts';
import { command, type Options, positive, withDatabase } from './context.ts';
import { readable } from './operate.ts';
import { print, printLine, printResult } from './output.ts';
import { time } from './time.ts';

const MAX_DAYS = 90;

export function statsCommand(): Command {
  return command('stats')
    .option('--days <number>', `number of days, up to ${MAX_DAYS}`, dayCount, 7)
    .option('--zone <id>', 'only this zone', positive)
    .action(({ days, zone, ...options }: Options & { days: number; zone?: number }) =>
      withDatabase(options, async (db, settings) => {
        const zones = zone === undefined ? null : [zone];
        const figures = await openStatsAdmin({ db, settings }).dashboard({ days, zones });
        if (options.json) return printLine(JSON.stringify(figures, null, 2));
        print(
          figures.days.map(({ withdrawn, ...day }) => ({
            ...day,
            withdrawn: withdrawn.done,
            amount: withdrawn.amount,
            failed: withdrawn.failed,
            unknown: withdrawn.unknown,
          })),
          options,
        );
        // Only the service knows whether a game port answers.
        const { zones_down: _, ...now } = figures.now;
        printLine('');
        print([now], options);
      }),
    );
}

export function registrationsCommand(): Command {
  return command('registrations')
    .option('--day <date>', 'a date such as 2030-01-31; default today')
    .action(({ day, ...options }: Options & { day?: string }) =>
      withDatabase(options, async (db, settings) => {
        const { registrations } = openStatsAdmin({ db, settings });
        const found = await readable(registrations({ day, zones: null, personal: true }));
        if (options.json) return printLine(JSON.stringify(found, null, 2));
        printResult(`${found.count} registrations on ${found.day}, cap ${found.cap}\n`);
        const hours = found.by_hour.map((count, hour) => ({ hour, registrations: count }));
        print(
          hours.filter(({ registrations: count }) => count > 0),
          { empty: 'no registrations' },
        );
        printLine('');
        print(found.by_promoter, { empty: 'no promoters' });
        printLine('');
        print(found.by_block, { empty: 'no address blocks' });
      }),
    );
}

export function legacyCommand(): Command {
  return command('legacy').action((options: Options) =>
    withDatabase(options, async (db, settings) => {
      const found = await openLegacyAdmin({ db, timeZone: settings.time_zone }).report(null);
      if (options.json) return printLine(JSON.stringify(found, null, 2));
      print(
        found.days.flatMap(({ day, zones }) => zones.map((zone) => ({ day, ...zone }))),
        { empty: 'no account used an md5 token in the last 90 days' },
      );
      if (found.last.length === 0) return;
      printLine('');
      print(
        found.last.map(({ seen_at, ...account }) => ({ ...account, seen_at: time(Date.parse(seen_at)) })),
        options,
      );
    }),
  );
}

function dayCount(text: string): number {
  const count = positive(text);
  if (count > MAX_DAYS) throw new InvalidArgumentError(`must be at most ${MAX_DAYS}.`);
  return count;
}
