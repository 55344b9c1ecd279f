import type { Feature } from '../../feature.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { systemAdminRoutes } from './admin/routes.ts';

interface DoctorContext {
  readonly settings: LiveSettings;
  /** The settings as file and environment have them, without controls. */
  readonly base: LiveSettings;
  readonly settingsFile: string | undefined;
  readonly pagesFolder: string;
}

export function openDoctor({ settings, base, settingsFile: file, pagesFolder }: DoctorContext): Feature {
  return {
    routes(app) {
      systemAdminRoutes(app, {
        settings,
        async examine() {
          // Loaded by those who ask: a start should not take longer than it must.
          const { openDoctorAdmin } = await import('./admin/module.ts');
          const given = file === undefined ? base.current : undefined;
          return openDoctorAdmin({ pagesFolder }).examine({ file, settings: given });
        },
      });
    },
  };
}
