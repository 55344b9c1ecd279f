import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { Check, Errors } from 'typebox/schema';
import { BadSettings } from './bad-settings.ts';
import { CONFIG_VARIABLE, overlayEnvironment, variableOf } from './environment.ts';
import { closestSetting, settingsTree, withDefaults } from './leaves.ts';
import { type Problem, problemsOf } from './problems.ts';
import { type Settings, SettingsSchema } from './schema.ts';

const DEFAULT_FILE = 'gatehouse.toml';

/** Returns the settings file to use: the named one, else that of the environment, else ./gatehouse.toml if it exists. */
export function settingsFile(
  named: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return named ?? env[CONFIG_VARIABLE] ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined);
}

export function loadSettings(file: string | undefined, env: NodeJS.ProcessEnv = process.env): Settings {
  const { settings, problems } = overlayEnvironment(file === undefined ? {} : readToml(file), env);
  return parseSettings(settings, problems);
}

/** Applies defaults and throws for invalid settings. */
export function parseSettings(raw: Record<string, unknown>, found: readonly Problem[] = []): Settings {
  const candidate = withDefaults(settingsTree, raw);
  const unfit = [...found, ...schemaProblems(candidate)];
  if (unfit.length > 0) throw new BadSettings(unfit);
  const settings = candidate as Settings;
  const problems = problemsOf(settings);
  if (problems.length > 0) throw new BadSettings(problems);
  return settings;
}

export function readToml(file: string): Record<string, unknown> {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof TomlError)
      throw new BadSettings([
        { setting: `${file}:${error.line}`, message: error.message.split('\n')[0] ?? 'is not TOML' },
      ]);
    throw new BadSettings([
      { setting: file, message: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` },
    ]);
  }
}

function schemaProblems(candidate: unknown): Problem[] {
  // Collecting errors is several times slower than a check, which matters for a long deny list.
  if (Check(SettingsSchema, candidate)) return [];
  const problems: Problem[] = [];
  for (const error of Errors(SettingsSchema, candidate)[1]) {
    const path = error.instancePath.split('/').slice(1);
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) problems.push(missing([...path, name]));
    } else if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) problems.push(unknownSetting([...path, name]));
    } else if (error.keyword !== 'boolean') {
      problems.push({ setting: path.join('.'), message: wording(error) });
    }
  }
  return problems;
}

function missing(path: string[]): Problem {
  return {
    setting: path.join('.'),
    message: `is missing and has no default; set it in the settings file or in ${variableOf(path)}`,
  };
}

function unknownSetting(path: string[]): Problem {
  const suggestion = closestSetting(path.join('.'));
  return {
    setting: path.join('.'),
    message: `is not a setting of this service${suggestion ? `; did you mean ${suggestion}?` : ''}`,
  };
}

function wording({ keyword, message, params }: ReturnType<typeof Errors>[1][number]): string {
  if (keyword === 'enum')
    return `must be one of ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}`;
  return message;
}

/** Returns the folders that the service writes to, by what it writes there. */
export function dataFolders({ database, mail, log }: Settings): Readonly<Record<string, string>> {
  const folders = {
    database: database.url.startsWith('sqlite:') && dirname(database.url.slice('sqlite:'.length)),
    mail: mail.url.startsWith('outbox:') && mail.url.slice('outbox:'.length),
    log: log.file !== undefined && dirname(log.file),
  };
  return Object.fromEntries(
    Object.entries(folders).flatMap(([of, folder]) => (folder === false ? [] : [[of, resolve(folder)]])),
  );
}
