import type { Command } from 'commander';
import { DatabaseUnavailable } from '../db/errors.ts';
import { BadSettings, loadSettings, settingsFile } from '../settings/load.ts';
import { type Chosen, command } from './context.ts';
import { fail } from './output.ts';

export function serveCommand(): Command {
  return command('serve', 'run the service').action(async (options: Chosen) => {
    const file = settingsFile(options.config);
    const settings = loadSettings(file);
    // Only who serves needs all of the service loaded.
    const { startService } = await import('../main.ts');
    const service = await startService({ settings, settingsFile: file }).catch((error) => {
      throw startFailure(error, settings.port);
    });

    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) return;
        stopping = true;
        service.stop().then(
          () => process.exit(0),
          (error) => {
            fail(error);
            process.exit(1);
          },
        );
      });
    }
  });
}

/** Names the setting behind a failed start, and the cure. */
function startFailure(error: unknown, port: number): unknown {
  if (error instanceof DatabaseUnavailable) {
    return new BadSettings([
      { setting: 'database.url', message: `${error.message}; start the database or correct the address` },
    ]);
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new BadSettings([
      { setting: 'port', message: `${port} is in use; stop what uses it or choose another` },
    ]);
  if (code === 'EACCES')
    return new BadSettings([{ setting: 'port', message: `${port} needs rights this user does not have` }]);
  if (code === 'EADDRNOTAVAIL')
    return new BadSettings([{ setting: 'host', message: 'is no address of this machine' }]);
  return error;
}
