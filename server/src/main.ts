import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type App, type AppDeps, openApp } from './app.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { BUILT_CONSOLE } from './features/console/pages.ts';
import { BUILT_PAGES } from './features/site/pages.ts';
import { drain } from './http/connections.ts';
import { openMailer } from './integrations/mailer.ts';
import type { RedisTimeouts } from './integrations/redis-limiters.ts';
import { openLog } from './logging/logger.ts';
import { doneWithin } from './runtime/with-timeout.ts';
import { memoryAttempts } from './security/attempt-store.ts';
import { memoryLimiters } from './security/throttle.ts';
import { workerAttempts } from './security/worker-attempts.ts';
import { workerLimiters } from './security/worker-limiters.ts';
import { fixedSettings, watchSettings } from './settings/live.ts';
import type { Settings } from './settings/schema.ts';

/** A graceful stop must end within this time. */
export const STOP_TIMEOUT_MS = 9_000;

export interface ServiceOptions {
  readonly settings: Settings;
  /** The file to watch for changes, if the settings came from one. */
  readonly settingsFile?: string | undefined;
  /** Adds routes before the service listens. Used by the playground. */
  readonly extend?: (http: FastifyInstance, app: App) => Promise<void>;
  readonly onFailpoint?: AppDeps['onFailpoint'];
  readonly onDeliveryFailpoint?: AppDeps['onDeliveryFailpoint'];
  readonly attemptPatienceMs?: AppDeps['attemptPatienceMs'];
  /** Set by tests, whose Redis may answer slowly. */
  readonly redisTimeouts?: RedisTimeouts | undefined;
  /** Whether this is one of several processes on one port. Shared counters are then kept in the primary process. */
  readonly isWorker?: boolean;
  /** How long open connections may carry a last response on stop, while other processes take over. */
  readonly drainMs?: number;
}

/** Opens all parts in order and listens. Closes them in reverse order on stop or if one cannot be opened. */
export async function startService({
  settings,
  settingsFile,
  extend,
  onFailpoint,
  onDeliveryFailpoint,
  attemptPatienceMs,
  redisTimeouts,
  isWorker = false,
  drainMs = 0,
}: ServiceOptions) {
  await using opened = new AsyncDisposableStack();
  const { log, flush } = openLog(settings.log);
  opened.defer(flush);
  const live =
    settingsFile === undefined
      ? fixedSettings(settings)
      : watchSettings({ file: settingsFile, initial: settings, log });
  opened.defer(() => live.close());
  const setLevel = () => {
    log.level = live.current.log.level;
  };
  setLevel();
  live.onChange(setLevel);
  let stopping = false;

  const db = await openDatabase(settings.database.url);
  opened.defer(() => db.close());
  await migrate(db);
  const redis =
    settings.redis.url === undefined ? undefined : await openRedis(settings.redis.url, log, redisTimeouts);
  opened.defer(() => redis?.close());
  const mailer = openMailer({ ...settings.mail, gameName: settings.game.name, log });
  opened.defer(() => mailer.close());
  const app = await openApp({
    settings: live,
    db,
    log,
    limiters: redis?.limiters ?? (isWorker ? workerLimiters() : memoryLimiters),
    attempts: redis?.attempts ?? (isWorker ? workerAttempts() : memoryAttempts()),
    attemptPatienceMs,
    mailer,
    pagesFolder: BUILT_PAGES,
    consoleFolder: BUILT_CONSOLE,
    settingsFile,
    stopping: () => stopping,
    onFailpoint,
    onDeliveryFailpoint,
    isWorker,
    isRedisUp: redis?.isUp,
  });
  opened.defer(() => app.close());
  const { http } = app;
  await extend?.(http, app);
  opened.defer(() => http.close());
  if (drainMs > 0) opened.defer(() => drain(http.server, drainMs));
  await http.listen({ port: settings.port, host: settings.host });
  const { port } = http.server.address() as AddressInfo;
  log.info({ port, host: settings.host, engine: db.engine }, 'listening');

  const held = opened.move();
  return {
    port,
    app,
    /** Finishes the requests in progress, then closes everything in order. */
    async stop() {
      stopping = true;
      log.info({}, 'stopping');
      const inTime = await doneWithin(held.disposeAsync(), STOP_TIMEOUT_MS);
      if (!inTime) log.warn({}, 'some requests did not finish in time');
      log.info({}, 'stopped');
      await flush();
    },
  };
}

/** Loads Redis on demand, to keep the start short. */
async function openRedis(url: string, log: Logger, timeouts: RedisTimeouts | undefined) {
  const { openRedisLimiters } = await import('./integrations/redis-limiters.ts');
  const redis = openRedisLimiters(url, log, timeouts);
  await redis.connected();
  return redis;
}
