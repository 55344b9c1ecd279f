import { randomUUID } from 'node:crypto';
import type { WebhookEvent } from '@gatehouse/contract/admin';
import type { Kysely } from 'kysely';
import { timeText } from '../runtime/time.ts';
import { currentTrace } from '../runtime/trace.ts';
import type { Database } from './schema.ts';
import type { Trx } from './transaction.ts';

/** Queues an event for the webhooks that want it, in the transaction of the change. */
export type Enqueue = (trx: Trx, event: WebhookEvent) => Promise<void>;

/** A webhook that receives events, and which. */
export interface Subscriber {
  readonly id: number;
  readonly events: readonly string[];
}

export async function readSubscribers(kysely: Kysely<Database>): Promise<Subscriber[]> {
  const rows = await kysely
    .selectFrom('webhook')
    .select(['id', 'events'])
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) }));
}

/** `subscribers` returns the webhooks in memory, if they are known and recent enough; otherwise they are read. */
export function createEnqueue(subscribers: () => readonly Subscriber[] | undefined): Enqueue {
  return async (trx, { type, data }) => {
    const known = subscribers() ?? (await readSubscribers(trx));
    const receivers = known.filter(({ events }) => events.includes(type));
    if (receivers.length === 0) return;
    const { requestId, traceparent } = currentTrace();
    const event = {
      event_id: `msg_${randomUUID()}`,
      type,
      body: JSON.stringify({ type, timestamp: timeText(Date.now()), data }),
      // An event of a deleted player has only the id and outlives the erasure.
      player_id: 'player_id' in data && type !== 'player.deleted' ? data.player_id : null,
      request_id: requestId ?? null,
      traceparent: traceparent ?? null,
    };
    await trx
      .insertInto('webhook_delivery')
      .values(receivers.map(({ id }) => ({ ...event, webhook_id: id })))
      .execute();
  };
}

/** Reads the webhooks from the database at each event. Used by commands, which do not cache them. */
export const enqueueEvent = createEnqueue(() => undefined);
