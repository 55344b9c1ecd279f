import { Command, CommanderError } from 'commander';
import { agentCommand } from './agent.ts';
import { chatCommand } from './chat.ts';
import { doctorCommand } from './doctor.ts';
import { importCommand } from './import.ts';
import { migrateCommand } from './migrate.ts';
import { fail } from './output.ts';
import { playerCommand } from './player.ts';
import { routesCommand } from './routes.ts';
import { serveCommand } from './serve.ts';
import { zoneCommand } from './zone.ts';

const program = new Command('gatehouse')
  .description('Account and game-entry service of a browser-game platform')
  .showSuggestionAfterError()
  .exitOverride();

for (const command of [
  serveCommand(),
  migrateCommand(),
  doctorCommand(),
  routesCommand(),
  zoneCommand(),
  agentCommand(),
  playerCommand(),
  chatCommand(),
  importCommand(),
]) {
  program.addCommand(command);
}

try {
  await program.parseAsync();
} catch (error) {
  // Commander has said its say already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1;
  else fail(error);
}
