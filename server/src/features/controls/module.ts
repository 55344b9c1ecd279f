import type { Feature, FeatureContext } from '../../feature.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { overridden } from '../../settings/overridden.ts';
import { openControlAdmin } from './admin/module.ts';
import { controlAdminRoutes } from './admin/routes.ts';
import { overrideSettings } from './override-settings.ts';
import { controlStore } from './store.ts';

export interface ControlsFeature extends Feature {
  /** The settings with controls and deny entries applied. Every other feature uses these. */
  readonly settings: LiveSettings;
}

type ControlsContext = Pick<FeatureContext, 'settings' | 'db' | 'log'>;

export async function openControls({ settings: base, db, log }: ControlsContext): Promise<ControlsFeature> {
  const settings = overridden(base);
  const overrides = await overrideSettings({ store: controlStore(db), settings, log });
  return {
    settings,
    routes(app) {
      const controls = openControlAdmin({ db, base: () => base.current });
      controlAdminRoutes(app, { controls, refresh: overrides.refresh });
    },
    close: overrides.close,
  };
}
