import { randomUUID } from 'node:crypto';
import type { Log } from '../../logging/log.ts';
import { forEachConcurrent } from '../../runtime/concurrency.ts';
import { startJob } from '../../runtime/job.ts';
import { runTraced } from '../../runtime/trace.ts';
import type { Attempt } from './attempt.ts';
import type { Claimed, Endpoint, Finished, WebhookStore } from './store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between attempts: a little more than 24 hours in all. */
const RETRY_AFTER_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  10.5 * HOUR_MS,
];

const POLL_MS = 1000;
/** Each webhook has its own, so that a slow one delays no other. */
const CONCURRENCY = 4;
const BATCH = 2 * CONCURRENCY;
/** Two rounds of attempts at 5 s each, and their outcomes, must end within it. */
const LEASE_MS = 20 * SECOND_MS;
/** Do not send a claimed delivery later than this: the attempt might outlast the lease. */
const SEND_WITHIN_MS = LEASE_MS - 8 * SECOND_MS;

/** Named points at which the fault run kills the process. */
export const deliveryFailpoints = ['claimed', 'answered', 'finished'] as const;
export type OnDeliveryFailpoint = (failpoint: (typeof deliveryFailpoints)[number]) => void | Promise<void>;

export interface DeliveryDeps {
  readonly store: Pick<WebhookStore, 'endpoint' | 'due' | 'claim' | 'release' | 'finish'>;
  readonly attempt: Attempt;
  readonly webhookIds: () => readonly number[];
  readonly counted: (outcome: 'delivered' | 'failed' | 'parked') => void;
  readonly onFailpoint: OnDeliveryFailpoint;
  readonly log: Pick<Log, 'warn'>;
}

/** Delivers due events of one webhook, batch by batch, until none is due or `stopping`. */
export function deliverDue({ store, attempt, counted, onFailpoint }: DeliveryDeps) {
  return async (webhookId: number, stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted) {
      const ids = await store.due(webhookId, BATCH);
      if (ids.length === 0) return;
      const endpoint = await store.endpoint(webhookId);
      if (!endpoint || endpoint.paused) return;
      const claim = randomUUID();
      const begun = performance.now();
      const claimed = await store.claim(ids, claim, LEASE_MS);
      if (claimed.length > 0) await onFailpoint('claimed');
      // A group chat shows messages as they come, so one at a time keeps their order.
      const concurrency = endpoint.format === 'standard' ? CONCURRENCY : 1;
      const mayStillSend = () => performance.now() - begun < SEND_WITHIN_MS;
      const left: number[] = [];
      await forEachConcurrent(claimed, concurrency, async (delivery) => {
        if (stopping.aborted || !mayStillSend()) left.push(delivery.id);
        else await deliver(endpoint, { ...delivery, claim }, mayStillSend);
      });
      if (left.length > 0) await store.release(left, claim);
    }
  };

  async function deliver(
    endpoint: Endpoint,
    { id, eventId, body, trace, attempts, claim }: Claimed & { readonly claim: string },
    mayStillSend: () => boolean,
  ): Promise<void> {
    const { delivered, ...outcome } = await runTraced(trace, () =>
      attempt(endpoint, { eventId, body }, mayStillSend),
    );
    await onFailpoint('answered');
    const retryAfterMs = delivered ? undefined : RETRY_AFTER_MS[attempts - 1];
    const finished: Finished = { id, claim, delivered, retryAfterMs, ...outcome };
    await store.finish([finished]);
    await onFailpoint('finished');
    counted(delivered ? 'delivered' : retryAfterMs === undefined ? 'parked' : 'failed');
  }
}

/** Delivers events on this instance. All instances do; a claimed delivery belongs to one until its lease ends. */
export function startDelivery(deps: DeliveryDeps): { close(): Promise<void> } {
  const { webhookIds, log } = deps;
  const deliver = deliverDue(deps);
  const stopping = new AbortController();
  const running = new Map<number, Promise<void>>();

  function startDeliveries(): void {
    for (const id of webhookIds()) {
      if (running.has(id)) continue;
      const work = deliver(id, stopping.signal)
        .catch((error) => log.warn({ err: error, webhook_id: id }, 'events could not be delivered; retried'))
        .finally(() => running.delete(id));
      running.set(id, work);
    }
  }

  const polling = startJob({ intervalMs: POLL_MS, work: startDeliveries });

  return {
    async close() {
      stopping.abort();
      await polling.close();
      await Promise.all(running.values());
    },
  };
}
