import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { BUILT_PAGES } from './features/site/pages.ts';
import { openLog } from './log.ts';
import { openMailer } from './outside/mailer.ts';
import { openRedisLimiters } from './outside/redis-limiters.ts';
import { memoryLimiters } from './security/throttle.ts';
import { openServices, type Services } from './services.ts';
import { fixedSettings, watchSettings } from './settings/live.ts';
import type { Settings } from './settings/schema.ts';

/** A stop that takes longer is not graceful any more. */
const STOP_PATIENCE_MS = 9_000;

export interface ServiceOptions {
  readonly settings: Settings;
  /** Watched for changes, where the settings came from a file. */
  readonly settingsFile?: string | undefined;
  /** Adds routes of its own before the service listens; the playground does. */
  readonly extend?: (app: FastifyInstance, services: Services) => Promise<void>;
}

export interface RunningService {
  readonly port: number;
  readonly services: Services;
  /** Finishes the requests under way, then closes everything in order. */
  stop(): Promise<void>;
}

/** Opens things in order, listens, and can close them in the opposite one. */
export async function startService({
  settings,
  settingsFile,
  extend,
}: ServiceOptions): Promise<RunningService> {
  const { log, flush } = openLog(settings.log);
  const live =
    settingsFile === undefined
      ? fixedSettings(settings)
      : watchSettings({ file: settingsFile, initial: settings, log });
  live.onChange((next) => {
    log.level = next.log.level;
  });
  let stopping = false;

  const db = await openDatabase(settings.database.url);
  await migrate(db);
  const redis = settings.redis.url === undefined ? undefined : openRedisLimiters(settings.redis.url, log);
  const mailer = openMailer({ ...settings.mail, gameName: settings.game.name, log });
  const services = await openServices({
    settings: live,
    db,
    log,
    limiters: redis?.limiters ?? memoryLimiters,
    mailer,
    pagesFolder: BUILT_PAGES,
    stopping: () => stopping,
  });
  const app = await buildApp(services);
  await extend?.(app, services);
  await app.listen({ port: settings.port, host: settings.host });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  log.info({ port, host: settings.host, engine: db.engine }, 'listening');

  async function close(): Promise<void> {
    await app.close();
    await services.close();
    live.close();
    mailer.close();
    redis?.close();
    await db.close();
  }

  return {
    port,
    services,
    async stop() {
      stopping = true;
      log.info({}, 'stopping');
      const { promise: late, resolve } = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => resolve('late'), STOP_PATIENCE_MS);
      const outcome = await Promise.race([close(), late]);
      clearTimeout(timer);
      if (outcome === 'late') log.warn({}, 'some requests did not finish in time');
      log.info({}, 'stopped');
      flush();
    },
  };
}
