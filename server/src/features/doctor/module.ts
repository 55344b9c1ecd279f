import type { Db } from '../../db/open.ts';
import type { Feature } from '../../feature.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { systemAdminRoutes } from './admin/routes.ts';

interface DoctorContext {
  readonly db: Db;
  readonly settings: LiveSettings;
  /** The settings as file and environment have them, without controls. */
  readonly base: LiveSettings;
  readonly settingsFile: string | undefined;
  readonly pagesFolder: string;
}

/** A page and the web server before it wait 30 s; the last zone may take some of them. */
const ZONES_WITHIN_MS = 15_000;

export function openDoctor({ db, settings, base, settingsFile: file, pagesFolder }: DoctorContext): Feature {
  let running: ReturnType<typeof examine> | undefined;

  async function examine() {
    // Loaded by those who ask: a start should not take longer than it must.
    const { openDoctorAdmin } = await import('./admin/module.ts');
    const given = file === undefined ? base.current : undefined;
    const signal = AbortSignal.timeout(ZONES_WITHIN_MS);
    return openDoctorAdmin({ pagesFolder }).examine({ file, settings: given, db, signal });
  }

  return {
    routes(app) {
      systemAdminRoutes(app, {
        settings,
        // It calls on every zone: who asks meanwhile is given the same findings.
        examine: () => {
          running ??= examine().finally(() => {
            running = undefined;
          });
          return running;
        },
      });
    },
  };
}
