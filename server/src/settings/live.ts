import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { BadSettings, loadSettings } from './load.ts';
import { liveSettings, type Settings } from './schema.ts';

/** The settings as they are now. Hold on to this, not to `current`, where a setting may change while running. */
export interface LiveSettings {
  readonly current: Settings;
  onChange(listener: (settings: Settings) => void): void;
  close(): void;
}

export function fixedSettings(current: Settings): LiveSettings {
  return { current, onChange: () => {}, close: () => {} };
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const POLL_MS = 1000;

/** Re-reads the file when it changes. Polls its path, so that atomic renames and network folders are seen too. */
export function watchSettings(options: { file: string; initial: Settings; log: Log }): LiveSettings {
  const { file, log } = options;
  const listeners: ((settings: Settings) => void)[] = [];
  let current = options.initial;

  function reload(): void {
    try {
      const next = loadSettings(file);
      reportWaiting(current, next, log);
      current = { ...current, ...Object.fromEntries(liveSettings.map((key) => [key, next[key]])) };
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
    close: () => unwatchFile(file, reload),
  };
}

function reportWaiting(before: Settings, after: Settings, log: Log): void {
  const live = new Set<string>(liveSettings);
  const keys = Object.keys(after) as (keyof Settings)[];
  const waiting = keys.filter((key) => !live.has(key) && !isDeepStrictEqual(before[key], after[key]));
  if (waiting.length > 0) log.warn({ settings: waiting }, 'changed settings wait for a restart');
}
