import type { Command } from 'commander';
import { count, showProgress } from '../features/import/summary.ts';
import { openSealing } from '../features/sealing/admin/module.ts';
import type { Settings } from '../settings/schema.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, withDatabase } from './context.ts';
import { INTERRUPTED, listenForInterruption } from './old-source.ts';
import { printResult } from './output.ts';

type Direction = 'seal' | 'unseal' | 'reseal' | 'rehash';

export const sealCommand = () =>
  rewriting('seal', 'encrypt all stored password hashes and two-factor secrets with the first auth.seal_key');
export const unsealCommand = () =>
  rewriting('unseal', 'decrypt all password hashes and two-factor secrets, before auth.seal_key is removed');
export const rehashCommand = () =>
  rewriting(
    'rehash',
    'replace all md5 hashes by argon2id over them; there is no way back except a new password',
  );

export const resealCommand = () =>
  rewriting(
    'reseal',
    'encrypt secrets of an older key with the first one (two-factor, zone keys, webhooks), before the older is removed',
  );

function requireSettings(direction: Direction, { auth }: Settings): void {
  if (direction === 'rehash') {
    if (auth.password_hash !== 'argon2id') throw new Error('auth.password_hash is not "argon2id"');
  } else if (direction !== 'reseal' && auth.seal_key === undefined)
    throw new Error('auth.seal_key is not set');
}

function rewriting(direction: Direction, description: string): Command {
  return changing(direction, description).action((options: Change) =>
    withDatabase(options, async (db, settings) => {
      requireSettings(direction, settings);
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
            direction === 'reseal'
              ? `${count(tally.unreadable)} secrets are sealed with a key that the settings do not have; they were not changed`
              : `${count(tally.unreadable)} hashes are sealed with a key that auth.seal_key does not have; they were not changed`,
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
