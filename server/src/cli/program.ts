import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { agentCommand } from './agent.ts';
import { backupCommand } from './backup.ts';
import { chatCommand } from './chat.ts';
import { doctorCommand } from './doctor.ts';
import { importCommand } from './import.ts';
import { migrateCommand } from './migrate.ts';
import { fail } from './output.ts';
import { playerCommand } from './player.ts';
import { routesCommand } from './routes.ts';
import { serveCommand } from './serve.ts';
import { withdrawCommand } from './withdraw.ts';
import { zoneCommand } from './zone.ts';

const program = new Command('gatehouse')
  .description('Account and game-entry service of a browser-game platform')
  .version(manifest.version)
  .option('--config <file>', 'settings file')
  .showSuggestionAfterError()
  .exitOverride()
  .hook('preAction', (_program, action) => inheritConfig(action));

for (const command of [
  serveCommand(),
  migrateCommand(),
  doctorCommand(),
  routesCommand(),
  zoneCommand(),
  agentCommand(),
  playerCommand(),
  withdrawCommand(),
  chatCommand(),
  importCommand(),
  backupCommand(),
]) {
  program.addCommand(command);
}

/** `--config` may stand before the command as well as after it. */
function inheritConfig(action: Command): void {
  for (let above = action.parent; above; above = above.parent) {
    const file: unknown = above.getOptionValue('config');
    if (file !== undefined && action.getOptionValue('config') === undefined)
      action.setOptionValue('config', file);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said its say already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1;
  else fail(error);
}
