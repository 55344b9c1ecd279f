import type { Log } from '../../logging/log.ts';
import { openTimedRows, type TimedRows } from '../../runtime/timed-rows.ts';
import { fitsSetting } from '../../settings/leaves.ts';
import type { OverriddenSettings } from '../../settings/overridden.ts';
import type { Control, ControlStore, DenyEntry } from './store.ts';

const REFRESH_MS = 1000;

interface OverrideParts {
  readonly store: ControlStore;
  readonly settings: OverriddenSettings;
  readonly log: Pick<Log, 'warn'>;
}

/** Applies controls and deny entries to the settings while they are in force. */
export function overrideSettings({ store, settings, log }: OverrideParts): Promise<TimedRows> {
  return openTimedRows<Control | DenyEntry>({
    name: 'controls',
    intervalMs: REFRESH_MS,
    log,
    async read() {
      const { now, controls, denied } = await store.inForce();
      return { now, rows: [...controls, ...denied] };
    },
    apply(inForce) {
      const controls = inForce.filter((row) => 'name' in row);
      const values = controls
        .filter(({ name, value }) => fitsSetting(name, value))
        .map(({ name, value }) => [name, value] as const);
      const denied = inForce.filter((row) => 'entry' in row).map(({ entry }) => entry);
      settings.override({ values: new Map(values), denied });
    },
  });
}
