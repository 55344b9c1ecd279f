import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { exitStatusOf } from './failure.ts';
import { fail, useJson } from './output.ts';
import { useTimeZoneOf } from './time.ts';

const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  routes: async () => (await import('./routes.ts')).routesCommand(),
  zone: async () => (await import('./zone.ts')).zoneCommand(),
  agent: async () => (await import('./agent.ts')).agentCommand(),
  stats: async () => (await import('./stats.ts')).statsCommand(),
  registrations: async () => (await import('./stats.ts')).registrationsCommand(),
  legacy: async () => (await import('./stats.ts')).legacyCommand(),
  player: async () => (await import('./player.ts')).playerCommand(),
  withdraw: async () => (await import('./withdraw.ts')).withdrawCommand(),
  operator: async () => (await import('./operators.ts')).operatorCommand(),
  chat: async () => (await import('./chat.ts')).chatCommand(),
  control: async () => (await import('./control.ts')).controlCommand(),
  deny: async () => (await import('./deny.ts')).denyCommand(),
  announcement: async () => (await import('./announcement.ts')).announcementCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  log: async () => (await import('./log.ts')).logCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
};

export const loadCommands = () => Promise.all(Object.values(commands).map((load) => load()));

/** The command that is called, so that no other is loaded; all of them for help and suggestions. */
function commandsFor(args: readonly string[]): (() => Promise<Command>)[] {
  const [first, file, ...rest] = args;
  if (first === '--config' && file !== undefined) return commandsFor(rest);
  if (first?.startsWith('--config=')) return commandsFor(args.slice(1));
  const called = Object.hasOwn(commands, first ?? '') ? commands[first ?? ''] : undefined;
  return called ? [called] : Object.values(commands);
}

/** Runs the command that the arguments name; what goes wrong is printed, and is the exit status. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command('gatehouse')
    .description('Account and game-entry service of a browser-game platform')
    .version(manifest.version)
    .option('--config <file>', 'settings file')
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', (_program, action) => inheritOptions(action));
  const json = args.includes('--json');
  useJson(json);
  useTimeZoneOf(configIn(args));
  for (const load of commandsFor(args)) program.addCommand(await load());
  if (json) silence(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed its message already, unless for a script.
    const printed = error instanceof CommanderError && error.code !== 'gatehouse.usage';
    if (printed && (!json || error.exitCode === 0)) process.exitCode = exitStatusOf(error);
    else fail(error);
  }
}

/** What is wrong with a call is then said in JSON alone. */
function silence(program: Command): void {
  program.configureOutput({ outputError: () => {} });
  for (const each of program.commands) silence(each);
}

/** The options of a command say it before its settings are read. */
function configIn(args: readonly string[]): string | undefined {
  const at = args.lastIndexOf('--config');
  return (
    args.find((arg) => arg.startsWith('--config='))?.slice('--config='.length) ??
    (at === -1 ? undefined : args[at + 1])
  );
}

/** What every command takes may stand before it as well as after it. */
function inheritOptions(action: Command): void {
  for (let parent = action.parent; parent; parent = parent.parent)
    for (const name of ['config', 'json']) {
      const value: unknown = parent.getOptionValue(name);
      if (value !== undefined && action.getOptionValue(name) === undefined)
        action.setOptionValue(name, value);
    }
}
