import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { exitStatusOf, usage } from './failure.ts';
import { isChinese, say, useLanguage } from './language.ts';
import { fail, useJson } from './output.ts';

type Entry = readonly [about: string, load: () => Promise<Command>];

/** Descriptions are here, so that help loads no command. */
const commands: Record<string, Entry> = {
  serve: ['run the service', async () => (await import('./serve.ts')).serveCommand()],
  migrate: [
    'bring the account database up to date',
    async () => (await import('./backup.ts')).migrateCommand(),
  ],
  doctor: [
    'check the installation: settings, service, database, mail, zones',
    async () => (await import('./doctor.ts')).doctorCommand(),
  ],
  routes: ['list every route and who may call it', async () => (await import('./routes.ts')).routesCommand()],
  zone: ['manage game zones', async () => (await import('./zone.ts')).zoneCommand()],
  promoter: ['manage promoters', async () => (await import('./promoter.ts')).promoterCommand()],
  stats: [
    'show the figures of the last days and the current state',
    async () => (await import('./stats.ts')).statsCommand(),
  ],
  registrations: [
    'show the registrations of a day by hour, promoter and address block',
    async () => (await import('./stats.ts')).registrationsCommand(),
  ],
  legacy: [
    'list accounts that still use the md5 tokens of old game clients',
    async () => (await import('./stats.ts')).legacyCommand(),
  ],
  player: ['manage accounts', async () => (await import('./player.ts')).playerCommand()],
  withdraw: ['list and settle withdrawals', async () => (await import('./withdraw.ts')).withdrawCommand()],
  operator: [
    'manage operators and API keys for scripts',
    async () => (await import('./operators.ts')).operatorCommand(),
  ],
  webhook: ['URLs that receive events', async () => (await import('./webhook.ts')).webhookCommand()],
  chat: ['list reported chat', async () => (await import('./chat.ts')).chatCommand()],
  control: ['override settings temporarily', async () => (await import('./control.ts')).controlCommand()],
  deny: [
    'deny addresses, in addition to deny_ip in the settings file',
    async () => (await import('./control.ts')).denyCommand(),
  ],
  announcement: [
    'manage the announcements on the login page and the home page',
    async () => (await import('./announcement.ts')).announcementCommand(),
  ],
  site: [
    'manage name, colour, links, numbers and pictures of the players’ pages',
    async () => (await import('./site.ts')).siteCommand(),
  ],
  audit: ['show who changed what', async () => (await import('./audit.ts')).auditCommand()],
  log: ['search the log of the service', async () => (await import('./log.ts')).logCommand()],
  import: [
    'import accounts of the previous generation with their password hashes',
    async () => (await import('./import.ts')).importCommand(),
  ],
  'export-accounts': [
    'write accounts made or changed here back into the old table',
    async () => (await import('./export-accounts.ts')).exportAccountsCommand(),
  ],
  takeover: [
    'take over from an old service: what is done, and what is still open',
    async () => (await import('./takeover.ts')).takeoverCommand(),
  ],
  backup: [
    'copy the SQLite account database while the service runs',
    async () => (await import('./backup.ts')).backupCommand(),
  ],
  completion: [
    'print the completion script of a shell',
    async () => (await import('./completion.ts')).completionCommand(loadCommands),
  ],
};

/** Former names of commands. They keep working and print the current name. */
const formerNames: Readonly<Record<string, string>> = {
  agent: 'promoter',
  'withdraw resolve': 'withdraw settle',
};

/** Replaces a former name in the arguments by the current one. */
function withCurrentName(args: readonly string[]): readonly string[] {
  const words = args.flatMap((arg, at) => (arg.startsWith('-') || args[at - 1] === '--config' ? [] : [at]));
  for (const count of [1, 2]) {
    const called = words.slice(0, count);
    const former = called.map((at) => args[at]).join(' ');
    const current = Object.hasOwn(formerNames, former) ? formerNames[former] : undefined;
    if (current === undefined) continue;
    if (!args.includes('--json'))
      process.stderr.write(`${say(`gatehouse: note: "${former}" is now called "${current}"`)}\n`);
    const names = current.split(' ');
    return args.map((arg, at) => names[called.indexOf(at)] ?? arg);
  }
  return args;
}

const load = async ([about, open]: Entry) => (await open()).description(about);

export const loadCommands = () => Promise.all(Object.values(commands).map(load));

const namesCommand = (args: readonly string[]) => args.some((arg) => Object.hasOwn(commands, arg));

/** Returns the called command without loading any other, or the names of all for help and suggestions. */
async function commandsFor(args: readonly string[]): Promise<Command[]> {
  const [first, file, ...rest] = args;
  if (first === '--config' && file !== undefined) return commandsFor(rest);
  if (first?.startsWith('--config=')) return commandsFor(args.slice(1));
  const called = Object.hasOwn(commands, first ?? '') ? commands[first ?? ''] : undefined;
  if (called) return [await load(called)];
  if (namesCommand(args)) return loadCommands();
  return Object.entries(commands).map(([name, [about]]) => new Command(name).description(about));
}

/** Runs the command in the arguments. Errors are printed and set the exit status. */
export async function runProgram(given: readonly string[]): Promise<void> {
  const { language, rest } = takeLanguage(given);
  const json = rest.includes('--json');
  useJson(json);
  if (!json) await useLanguage(language);
  const args = withCurrentName(rest);
  const program = new Command('gatehouse')
    .description('Account and game-entry service of a browser-game platform')
    .version(manifest.version)
    .option('--config <file>', 'settings file')
    .option('--lang <language>', 'language of texts for people: en or zh; default: the locale')
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', (_program, action) => inheritOptions(action));
  // Reads the settings, which help and version do not need.
  if (namesCommand(args)) (await import('./time.ts')).useTimeZoneOf(configIn(args));
  for (const each of await commandsFor(args)) program.addCommand(each);
  if (json) silence(program);
  if (isChinese()) localize(program);
  try {
    if (language !== undefined && !LANGUAGES.includes(language))
      throw usage(`--lang must be one of ${LANGUAGES.join(', ')}`);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has already printed its message, except for scripts.
    const printed = error instanceof CommanderError && error.code !== 'gatehouse.usage';
    if (printed && (!json || error.exitCode === 0)) process.exitCode = exitStatusOf(error);
    else fail(error);
  }
}

/** Silences Commander, so that usage errors are printed only as JSON. */
function silence(program: Command): void {
  program.configureOutput({ outputError: () => {} });
  for (const each of program.commands) silence(each);
}

/** Lets Commander print help and errors in the language of the user. */
function localize(program: Command): void {
  program.configureHelp({
    styleTitle: say,
    styleCommandDescription: say,
    styleOptionDescription: say,
    styleArgumentDescription: say,
    styleSubcommandDescription: say,
  });
  program.configureOutput({ outputError: (text, write) => write(`${say(text.trimEnd())}\n`) });
  for (const each of program.commands) localize(each);
}

const LANGUAGES = ['en', 'zh'];

/** Takes `--lang` out of the arguments: it is used before any command is loaded. */
function takeLanguage(args: readonly string[]): { language: string | undefined; rest: readonly string[] } {
  const at = args.findIndex((arg) => arg === '--lang' || arg.startsWith('--lang='));
  const joined = args[at]?.split('=')[1];
  const language = joined ?? (at === -1 ? undefined : args[at + 1]);
  if (language === undefined) return { language, rest: args };
  return { language, rest: args.toSpliced(at, joined === undefined ? 2 : 1) };
}

/** Finds `--config` before the command's options are parsed. */
function configIn(args: readonly string[]): string | undefined {
  const at = args.lastIndexOf('--config');
  return (
    args.find((arg) => arg.startsWith('--config='))?.slice('--config='.length) ??
    (at === -1 ? undefined : args[at + 1])
  );
}

/** Lets the common options appear before the command as well as after it. */
function inheritOptions(action: Command): void {
  for (let parent = action.parent; parent; parent = parent.parent)
    for (const name of ['config', 'json']) {
      const value: unknown = parent.getOptionValue(name);
      if (value !== undefined && action.getOptionValue(name) === undefined)
        action.setOptionValue(name, value);
    }
}
