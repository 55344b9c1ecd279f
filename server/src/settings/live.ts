import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../logging/log.ts';
import { BadSettings } from './bad-settings.ts';
import { place } from './environment.ts';
import { leaves, valueAt } from './leaves.ts';
import { loadSettings } from './load.ts';
import { isLive, type Settings } from './schema.ts';
import { type SettingSource, sourcesByValue, sourcesOf } from './sources.ts';

/** The settings as they are now. Hold on to this, not to `current`, where a setting may change while running. */
export interface LiveSettings {
  readonly current: Settings;
  onChange(listener: (settings: Settings) => void): void;
  /** Where the value in force comes from. */
  sourceOf(path: readonly string[]): SettingSource;
  close(): void;
}

export function fixedSettings(current: Settings): LiveSettings {
  return { current, onChange: () => {}, sourceOf: sourcesByValue(current), close: () => {} };
}

const POLL_MS = 1000;

/** Re-reads the file when it changes. Polls its path, so that atomic renames and network folders are seen too. */
export function watchSettings(options: { file: string; initial: Settings; log: Log }): LiveSettings {
  const { file, log } = options;
  const listeners: ((settings: Settings) => void)[] = [];
  let current = options.initial;
  const atStart = sourcesOf(file);
  let latest = atStart;

  function reload(): void {
    try {
      const next = loadSettings(file);
      const { merged, needRestart } = merge(current, next);
      current = merged;
      latest = sourcesOf(file);
      if (needRestart.length > 0) log.warn({ settings: needRestart }, 'changed settings wait for a restart');
      for (const listener of listeners) listener(current);
      log.info({ file }, 'settings reloaded');
    } catch (error) {
      if (!(error instanceof BadSettings)) throw error;
      log.error(
        { file, problems: error.message.split('\n') },
        'new settings refused, the old ones stay in force',
      );
    }
  }

  watchFile(file, { interval: POLL_MS }, reload);
  return {
    get current() {
      return current;
    },
    onChange: (listener) => listeners.push(listener),
    sourceOf: (path) => (isLive(path) ? latest : atStart)(path),
    close: () => unwatchFile(file, reload),
  };
}

/** The settings in force with what may change while running taken from the new ones, and the names of what waits. */
function merge(before: Settings, after: Settings): { merged: Settings; needRestart: string[] } {
  const merged = structuredClone(before);
  const needRestart: string[] = [];
  for (const { path } of leaves) {
    const value = valueAt(after, path);
    if (isDeepStrictEqual(valueAt(before, path), value)) continue;
    if (isLive(path)) place(merged, path, value);
    else needRestart.push(path.join('.'));
  }
  return { merged, needRestart };
}
