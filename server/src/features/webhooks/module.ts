import type { FastifyInstance } from 'fastify';
import { retention } from '../../db/delete-in-batches.ts';
import { groupWriter } from '../../db/group-writer.ts';
import { jobLease } from '../../db/job-lease.ts';
import { createEnqueue, readSubscribers } from '../../db/outbox.ts';
import type { FeatureContext } from '../../feature.ts';
import { startJob } from '../../runtime/job.ts';
import { openSending, openWebhookAdmin } from './admin/module.ts';
import { webhookAdminRoutes } from './admin/routes.ts';
import { type OnDeliveryFailpoint, startDelivery } from './deliver.ts';
import type { Finished } from './store.ts';
import { openSubscribers } from './subscribers.ts';
import { startWatchJob, type WatchDeps } from './watch.ts';
import { watchStore } from './watch-store.ts';

const FIGURES_MS = 15_000;
const WATCH_LEASE_MS = 60_000;
const MAX_GROUP = 50;

interface WebhooksContext extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'metrics'> {
  readonly zones: WatchDeps['zones'];
  readonly failing: WatchDeps['failing'];
  readonly onDeliveryFailpoint?: OnDeliveryFailpoint | undefined;
}

/** Opens the webhooks: their outbox, the delivery on this instance and the operators' routes. */
export async function openWebhooks(context: WebhooksContext) {
  const { settings, db, log, metrics, zones, failing } = context;
  const sending = openSending({ db, settings: settings.current });
  const { store, attempt } = sending;
  const subscribers = await openSubscribers({ read: () => readSubscribers(db.kysely), log });
  const enqueue = createEnqueue(subscribers.recent);
  const webhookIds = () => subscribers.all().map(({ id }) => id);

  // Attempts end at about the same time, and share a commit.
  const outcomes = groupWriter<Finished>(MAX_GROUP, store.finish);
  const delivery = startDelivery({
    store: { ...store, finish: outcomes.write },
    attempt,
    webhookIds,
    counted: (outcome) => metrics.webhookDeliveries.inc({ outcome }),
    onFailpoint: context.onDeliveryFailpoint ?? (() => {}),
    log,
  });
  const figures = startJob({
    intervalMs: FIGURES_MS,
    work: async () => metrics.setWebhooks(await store.figures(webhookIds())),
    succeeded: metrics.job('webhook_counting'),
    // The figures stay as they were until the database answers again.
    failed: () => {},
  });
  const watchJob = startWatchJob({
    store: watchStore(db),
    enqueue,
    transaction: db.transaction,
    isWanted: (type) => subscribers.all().some(({ events }) => events.includes(type)),
    zones,
    failing,
    lease: jobLease(db, 'webhook watch', WATCH_LEASE_MS),
    succeeded: metrics.job('webhook_watch'),
    log,
  });
  const removed = { name: 'deliveries of removed webhooks', deleteOldest: store.deleteRemoved };
  return {
    enqueue,
    watchJob,
    routes: (app: FastifyInstance) =>
      webhookAdminRoutes(app, {
        webhooks: openWebhookAdmin({ db, settings: settings.current }),
        refresh: subscribers.refresh,
      }),
    sweeps: [
      retention(
        'old webhook deliveries',
        () => settings.current.webhooks.retention_days,
        store.deleteOlderThan,
      ),
      removed,
    ],
    async close() {
      await watchJob.close();
      await delivery.close();
      await figures.close();
      await subscribers.close();
    },
  };
}

export type WebhooksFeature = Awaited<ReturnType<typeof openWebhooks>>;
