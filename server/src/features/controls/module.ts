import type { FastifyInstance } from 'fastify';
import type { FeatureContext } from '../../feature.ts';
import type { Log } from '../../logging/log.ts';
import { openTimedRows, type TimedRows } from '../../runtime/timed-rows.ts';
import { fitsSetting } from '../../settings/leaves.ts';
import { type OverriddenSettings, overridden } from '../../settings/overridden.ts';
import { openControlAdmin } from './admin/module.ts';
import { controlAdminRoutes } from './admin/routes.ts';
import { type Control, type ControlStore, controlStore, type DenyEntry } from './store.ts';

type ControlsContext = Pick<FeatureContext, 'settings' | 'db' | 'log'>;

export async function openControls({ settings: base, db, log }: ControlsContext) {
  const settings = overridden(base);
  const overrides = await overrideSettings({ store: controlStore(db), settings, log });
  return {
    /** The settings with controls and deny entries applied. Every other feature uses these. */
    settings,
    routes(app: FastifyInstance) {
      const controls = openControlAdmin({ db, base: () => base.current });
      controlAdminRoutes(app, { controls, refresh: overrides.refresh });
    },
    close: overrides.close,
  };
}

const REFRESH_MS = 1000;

interface OverrideDeps {
  readonly store: ControlStore;
  readonly settings: OverriddenSettings;
  readonly log: Pick<Log, 'warn'>;
}

/** Applies controls and deny entries to the settings while they are in force. */
export function overrideSettings({ store, settings, log }: OverrideDeps): Promise<TimedRows> {
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
