import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/open.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { systemAdminRoutes } from './admin/routes.ts';

interface DoctorContext {
  readonly db: Db;
  readonly settings: LiveSettings;
  /** The settings from file and environment, without controls. */
  readonly base: LiveSettings;
  readonly settingsFile: string | undefined;
  readonly pagesFolder: string;
}

/** Half of the 30 s that pages and the web server wait, because the last zones may overrun. */
const ZONES_WITHIN_MS = 15_000;

export function openDoctor(context: DoctorContext) {
  const { db, settings, base, settingsFile: file, pagesFolder } = context;
  let running: ReturnType<typeof examine> | undefined;

  async function examine() {
    // Loaded on demand, to keep the start short.
    const { openDoctorAdmin } = await import('./admin/module.ts');
    const given = file === undefined ? base.current : undefined;
    const signal = AbortSignal.timeout(ZONES_WITHIN_MS);
    return openDoctorAdmin({ pagesFolder }).examine({ file, settings: given, db, signal });
  }

  /** Examining contacts every zone, so concurrent requests share one run. */
  const examineOnce = () => {
    running ??= examine().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    /** Returns the failed checks. */
    failing: async () => (await examineOnce()).filter(({ status }) => status === 'failed'),
    routes: (app: FastifyInstance) => systemAdminRoutes(app, { settings, examine: examineOnce }),
  };
}

export type DoctorFeature = ReturnType<typeof openDoctor>;
