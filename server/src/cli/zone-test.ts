import type { Command } from 'commander';
import { openZoneTest } from '../features/zones/admin/module.ts';
import { command, type Options, wholeNumber, withDatabase } from './context.ts';
import { NotFound } from './failure.ts';
import { print } from './output.ts';

interface TestOptions extends Options {
  readonly json?: boolean;
  readonly role?: string;
  readonly amount?: number;
}

/** Shows an operator whether a real zone fits the settings. Moves nothing, unless a role and an amount say so. */
export function zoneTest(): Command {
  return command('test', 'try the game database and the GM interface of a zone, without moving money')
    .argument('<id>', 'server id', wholeNumber)
    .option('--role <role>', 'a role of yours to look at, by id or name')
    .option('--amount <amount>', 'really take this much from the role, and check it', wholeNumber)
    .action((serverId: number, options: TestOptions) =>
      withDatabase(options, async (db, settings) => {
        const { role, amount } = options;
        if (amount !== undefined && (role === undefined || amount < 1))
          throw new Error('--amount takes 1 or more, and needs --role');
        const checks = await openZoneTest({ db, settings })({ serverId, role, amount });
        if (!checks) throw new NotFound(`there is no zone ${serverId}`);
        print(
          checks.map((check) => ({ ...check })),
          options,
        );
        const failed = checks.filter(({ result }) => result === 'failed').length;
        if (failed > 0) throw new Error(`zone ${serverId}: ${failed} of ${checks.length} checks failed`);
      }),
    );
}
