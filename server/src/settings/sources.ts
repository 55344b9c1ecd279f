import { isDeepStrictEqual } from 'node:util';
import { variableOf } from './environment.ts';
import { leaves, valueAt } from './leaves.ts';
import { readToml } from './load.ts';
import type { Settings } from './schema.ts';

export type SettingSource = 'default' | 'file' | 'environment' | 'control';

type SourceOf = (path: readonly string[]) => SettingSource;

/** Where each setting comes from, as file and environment say now. */
export function sourcesOf(file: string, env: NodeJS.ProcessEnv = process.env): SourceOf {
  const table = readToml(file);
  return (path) => {
    if (env[variableOf(path)] !== undefined) return 'environment';
    return valueAt(table, path) === undefined ? 'default' : 'file';
  };
}

/** The same for settings that were handed over without a file: what is not the default was given. */
export function sourcesByValue(settings: Settings, env: NodeJS.ProcessEnv = process.env): SourceOf {
  const defaults = new Map(leaves.map(({ path, schema }) => [path.join('.'), schema.default]));
  return (path) => {
    if (env[variableOf(path)] !== undefined) return 'environment';
    return isDeepStrictEqual(valueAt(settings, path), defaults.get(path.join('.'))) ? 'default' : 'file';
  };
}
