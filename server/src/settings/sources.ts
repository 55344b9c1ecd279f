import { isDeepStrictEqual } from 'node:util';
import { variableOf } from './environment.ts';
import { leaves, valueAt } from './leaves.ts';
import { readToml } from './load.ts';
import type { Settings } from './schema.ts';

export type SettingSource = 'default' | 'file' | 'environment' | 'control';

type SourceOf = (path: readonly string[]) => SettingSource;

/** Returns the source of each setting, as file and environment are now. */
export function sourcesOf(file: string, env: NodeJS.ProcessEnv = process.env): SourceOf {
  const table = readToml(file);
  return (path) => {
    if (env[variableOf(path)] !== undefined) return 'environment';
    return valueAt(table, path) === undefined ? 'default' : 'file';
  };
}

/** Same for settings passed without a file: any value that is not the default counts as set. */
export function sourcesByValue(settings: Settings, env: NodeJS.ProcessEnv = process.env): SourceOf {
  const defaults = new Map(leaves.map(({ path, schema }) => [path.join('.'), schema.default]));
  return (path) => {
    if (env[variableOf(path)] !== undefined) return 'environment';
    return isDeepStrictEqual(valueAt(settings, path), defaults.get(path.join('.'))) ? 'default' : 'file';
  };
}
