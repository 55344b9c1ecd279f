import { statSync, unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../logging/log.ts';
import { BadSettings } from './bad-settings.ts';
import { place } from './environment.ts';
import { leaves, maskSetting, valueAt } from './leaves.ts';
import { loadSettings } from './load.ts';
import { isLive, type Settings } from './schema.ts';
import { type SettingSource, sourcesByValue, sourcesOf } from './sources.ts';

/** The current settings. Keep this object rather than `current` if a setting may change while running. */
export interface LiveSettings {
  readonly current: Settings;
  /** `changed` is undefined if a control changed a setting. */
  onChange(listener: (settings: Settings, changed?: SettingChanges) => void): void;
  /** Returns the origin of the value in force. */
  sourceOf(path: readonly string[]): SettingSource;
  close(): void;
}

/** The changed settings by name, with their masked values before and after. */
export interface SettingChanges {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export function fixedSettings(current: Settings): LiveSettings {
  return { current, onChange: () => {}, sourceOf: sourcesByValue(current), close: () => {} };
}

const POLL_MS = 1000;

/** Re-reads the file when it changes. Polls the path, so that atomic renames and network folders work too. */
export function watchSettings(options: { file: string; initial: Settings; log: Log }): LiveSettings {
  const { file, log } = options;
  const listeners: Parameters<LiveSettings['onChange']>[0][] = [];
  let current = options.initial;
  const atStart = sourcesOf(file);
  let latest = atStart;

  function reload(): void {
    try {
      const next = loadSettings(file);
      const { merged, changed, needRestart } = merge(current, next);
      current = merged;
      latest = sourcesOf(file);
      if (needRestart.length > 0)
        log.warn({ settings: needRestart }, 'changed settings take effect after a restart');
      for (const listener of listeners) listener(current, changed);
      log.info({ file, ...changed }, 'settings reloaded');
    } catch (error) {
      if (!(error instanceof BadSettings)) throw error;
      log.error(
        { file, problems: error.message.split('\n') },
        'new settings refused; the old ones remain in effect',
      );
    }
  }

  watchFile(file, { interval: POLL_MS }, reload);
  // It may have changed since it was loaded.
  if (statSync(file).ctimeMs > performance.timeOrigin) reload();
  return {
    get current() {
      return current;
    },
    onChange: (listener) => listeners.push(listener),
    sourceOf: (path) => (isLive(path) ? latest : atStart)(path),
    close: () => unwatchFile(file, reload),
  };
}

interface Merged {
  readonly merged: Settings;
  readonly changed: SettingChanges;
  /** Names of changed settings that need a restart. */
  readonly needRestart: readonly string[];
}

/** Applies live changes to the settings in force. */
function merge(before: Settings, after: Settings): Merged {
  const merged = structuredClone(before);
  const needRestart: string[] = [];
  const changed = { before: {} as Record<string, unknown>, after: {} as Record<string, unknown> };
  for (const { path } of leaves) {
    const value = valueAt(after, path);
    const old = valueAt(before, path);
    if (isDeepStrictEqual(old, value)) continue;
    const name = path.join('.');
    if (isLive(path)) {
      place(merged, path, value);
      changed.before[name] = maskSetting(path, old);
      changed.after[name] = maskSetting(path, value);
    } else needRestart.push(name);
  }
  return { merged, changed, needRestart };
}
