import { Command, InvalidArgumentError } from 'commander';
import type { Db } from '../db/open.ts';
import { loadSettings, settingsFile } from '../settings/load.ts';
import type { Settings } from '../settings/schema.ts';

/** A command that takes a settings file. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--config <file>', 'settings file')
    .exitOverride()
    .showSuggestionAfterError();
}

/** A command that lists: a table for people, `--json` for scripts. */
export function listing(name: string, description: string): Command {
  return command(name, description).option('--json', 'as JSON');
}

/** A command that changes something: why may be said, and is kept with who did it. */
export function changing(name: string, description: string): Command {
  return command(name, description).option('--reason <text>', 'why; kept in the audit records', nonEmpty);
}

export interface Options {
  readonly config?: string;
}

/** What `changing` commands are given. */
export interface Change extends Options {
  readonly reason?: string;
}

export function settingsOf({ config }: Options): Settings {
  return loadSettings(settingsFile(config));
}

/** Opens the account database for one command and closes it after. */
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

/** Text that is not blank. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('must not be empty.');
  return text.trim();
}

/** A moment: RFC 3339, or so many days or hours from now, such as 7d or 12h. */
export function moment(text: string): number {
  const span = /^(\d{1,6})([dhm])$/.exec(text);
  const units: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000 };
  const at = span ? Date.now() + Number(span[1]) * (units[span[2] ?? ''] ?? 0) : Date.parse(text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError('must be a time such as 2030-01-31T12:00:00Z, or 7d, 12h, 30m from now.');
  return at;
}

/** A moment before now, written the same way. */
export function pastMoment(text: string): number {
  return /^\d{1,6}[dhm]$/.test(text) ? 2 * Date.now() - moment(text) : moment(text);
}

export function oneOf<const V extends readonly string[]>(values: V): (text: string) => V[number] {
  return (text) => {
    if (!values.includes(text)) throw new InvalidArgumentError(`must be one of ${values.join(', ')}.`);
    return text;
  };
}
