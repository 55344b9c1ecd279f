import { place } from './environment.ts';
import type { LiveSettings } from './live.ts';
import type { Settings } from './schema.ts';

/** Overrides of the settings from file and environment. */
export interface Overrides {
  /** Keyed by setting name. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Added to `deny_ip`. */
  readonly denied: readonly string[];
}

export interface OverriddenSettings extends LiveSettings {
  override(overrides: Overrides): void;
}

/** The settings as rules see them: those of the file, with the operators' temporary overrides applied. */
export function overridden(base: LiveSettings): OverriddenSettings {
  const listeners: ((settings: Settings) => void)[] = [];
  let overrides: Overrides = { values: new Map(), denied: [] };
  let current = base.current;

  function update(): void {
    current = merged(base.current, overrides);
    for (const listener of listeners) listener(current);
  }

  base.onChange(update);
  return {
    get current() {
      return current;
    },
    onChange: (listener) => listeners.push(listener),
    sourceOf(path) {
      const name = path.join('.');
      const isOverridden = overrides.values.has(name) || (name === 'deny_ip' && overrides.denied.length > 0);
      return isOverridden ? 'control' : base.sourceOf(path);
    },
    override(next) {
      overrides = next;
      update();
    },
    close: () => {},
  };
}

function merged(base: Settings, { values, denied }: Overrides): Settings {
  const settings = structuredClone(base);
  for (const [name, value] of values) place(settings, name.split('.'), value);
  settings.deny_ip.push(...denied);
  return settings;
}
