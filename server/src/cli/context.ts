import { Command, InvalidArgumentError } from 'commander';
import type { Db } from '../db/open.ts';
import { loadSettings, settingsFile } from '../settings/load.ts';
import type { Settings } from '../settings/schema.ts';

/** Creates a command that takes a settings file. It prints for people, or with `--json` for scripts. */
export function command(name: string, description = ''): Command {
  return new Command(name)
    .description(description)
    .option('--config <file>', 'settings file')
    .option('--json', 'print JSON')
    .exitOverride()
    .showSuggestionAfterError();
}

/** Creates a command that makes a change. Its optional reason is stored in the audit with the author. */
export function changing(name: string, description = ''): Command {
  return command(name, description).option('--reason <text>', 'why; recorded in the audit log', nonEmpty);
}

/** The options of every command. */
export interface Options {
  readonly config?: string;
  readonly json?: boolean;
}

/** The options of `changing` commands. */
export interface Change extends Options {
  readonly reason?: string;
}

export function settingsOf({ config }: Options): Settings {
  return loadSettings(settingsFile(config));
}

/** Opens the account database for one command and closes it afterwards. */
export async function withDatabase<T>(
  options: Options,
  work: (db: Db, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = settingsOf(options);
  const [{ openDatabase }, { migrate, pendingMigrations }] = await Promise.all([
    import('../db/open.ts'),
    import('../db/migrate.ts'),
  ]);
  const db = await openDatabase(settings.database.url);
  try {
    if ((await pendingMigrations(db)).length > 0) await migrate(db);
    return await work(db, settings);
  } finally {
    await db.close();
  }
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('must be a whole number.');
  return value;
}

export function positive(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('must be at least 1.');
  return value;
}

/** Parses text that must not be blank. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('must not be empty.');
  return text.trim();
}

/** Parses a value, or keeps `none`, because Commander would turn null into an empty string. */
export const orNone =
  <T>(parse: (text: string) => T) =>
  (text: string): T | 'none' =>
    text === 'none' ? text : parse(text);

export function oneOf<const V extends readonly string[]>(values: V): (text: string) => V[number] {
  return (text) => {
    if (!values.includes(text)) throw new InvalidArgumentError(`must be one of ${values.join(', ')}.`);
    return text;
  };
}

/** Parses JSON. Returns anything else as text, which the rule then refuses as unfit. */
export function jsonOrText(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
