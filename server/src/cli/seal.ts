import type { Command } from 'commander';
import { showProgress } from '../features/import/progress.ts';
import { count } from '../features/import/summary.ts';
import { openSealing } from '../features/sealing/admin/module.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, withDatabase } from './context.ts';
import { INTERRUPTED, listenForInterruption } from './interruption.ts';
import { printResult } from './output.ts';

type Direction = 'seal' | 'unseal';

export const sealCommand = () =>
  sealing('seal', 'encrypt every stored password hash and two-factor secret with the first auth.seal_key');
export const unsealCommand = () =>
  sealing('unseal', 'write every password hash plainly again, before auth.seal_key is given up');

function sealing(direction: Direction, description: string): Command {
  return changing(direction, description).action((options: Change) =>
    withDatabase(options, async (db, settings) => {
      if (settings.auth.seal_key === undefined) throw new Error('auth.seal_key is not set');
      const tally = { read: 0, changed: 0, unreadable: 0, fraction: 0 };
      const interruption = listenForInterruption();
      const endProgress = showProgress({
        out: process.stderr,
        rows: () => tally.read,
        fraction: () => tally.fraction,
      });
      try {
        const ended = await openSealing({ db, settings })[direction](cliActor(), {
          reason: options.reason,
          stopping: interruption.requested,
          tally,
        });
        endProgress();
        printResult(`${count(tally.read)} players read, ${count(tally.changed)} hashes ${direction}ed`);
        if (tally.unreadable > 0)
          throw new Error(
            `${count(tally.unreadable)} hashes are sealed with a key that auth.seal_key does not have; they were left as they are`,
          );
        if (ended === 'complete') return;
        printResult(`stopped; the same command goes on: what is ${direction}ed is passed over`);
        process.exitCode = INTERRUPTED;
      } finally {
        endProgress();
        interruption.close();
      }
    }),
  );
}
