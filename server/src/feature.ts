import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Sweep } from './db/delete-in-batches.ts';
import type { NonceStore } from './db/nonce-store.ts';
import type { Db } from './db/open.ts';
import type { Metrics } from './http/metrics.ts';
import type { Mailer } from './integrations/mailer.ts';
import type { Security } from './security/open.ts';
import type { LimiterFactory } from './security/throttle.ts';
import type { LiveSettings } from './settings/live.ts';

/** Dependencies that the process opens before any feature. Each feature picks those it needs. */
export interface FeatureContext {
  readonly settings: LiveSettings;
  readonly db: Db;
  readonly log: Logger;
  readonly limiters: LimiterFactory;
  readonly mailer: Mailer;
  readonly metrics: Metrics;
  readonly nonces: NonceStore;
  readonly security: Security;
  readonly stopping: () => boolean;
}

/** A feature as app.ts sees it. */
export interface Feature {
  routes?(app: FastifyInstance): void | Promise<void>;
  /** Sweeps that delete the feature's old rows. */
  readonly sweeps?: readonly Sweep[];
  /** Stops the feature's jobs. Resolves when none is running. */
  close?(): void | Promise<void>;
}
