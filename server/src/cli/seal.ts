import type { Command } from 'commander';
import { count, showProgress } from '../features/import/summary.ts';
import { openSealing } from '../features/sealing/admin/module.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, withDatabase } from './context.ts';
import { INTERRUPTED, listenForInterruption } from './import.ts';
import { printResult } from './output.ts';

type Direction = 'seal' | 'unseal' | 'reseal';

export const sealCommand = () =>
  sealing('seal', 'encrypt all stored password hashes and two-factor secrets with the first auth.seal_key');
export const unsealCommand = () =>
  sealing('unseal', 'decrypt all password hashes and two-factor secrets, before auth.seal_key is removed');

export const resealCommand = () =>
  sealing(
    'reseal',
    'encrypt secrets of an older key with the first one (two-factor, zone keys, webhooks), before the older is removed',
  );

function sealing(direction: Direction, description: string): Command {
  return changing(direction, description).action((options: Change) =>
    withDatabase(options, async (db, settings) => {
      if (settings.auth.seal_key === undefined && direction !== 'reseal')
        throw new Error('auth.seal_key is not set');
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
        printResult(
          direction === 'reseal'
            ? `${count(tally.changed)} secrets resealed`
            : `${count(tally.read)} players read, ${count(tally.changed)} hashes ${direction}ed`,
        );
        if (tally.unreadable > 0)
          throw new Error(
            `${count(tally.unreadable)} ${direction === 'reseal' ? 'secrets' : 'hashes'} are sealed with a key that ${direction === 'reseal' ? 'the settings do' : 'auth.seal_key does'} not have; they were not changed`,
          );
        if (ended === 'complete') return;
        printResult(
          `stopped; run the same command again to continue. Rows that are ${direction}ed already are skipped`,
        );
        process.exitCode = INTERRUPTED;
      } finally {
        endProgress();
        interruption.close();
      }
    }),
  );
}
