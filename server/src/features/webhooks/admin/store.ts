import type { AnnouncementLanguage } from '@gatehouse/contract';
import type { DeliveryState, WebhookEventType, WebhookFormat } from '@gatehouse/contract/admin';
import type { Selectable } from 'kysely';
import { newestFirst, type PageBefore } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';
import { countRows, hasRow, insertedId } from '../../../db/row-count.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, serialize, unchanged } from '../../../db/unchanged.ts';

export interface WebhookFields {
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly description: string;
  readonly format: WebhookFormat;
  readonly language: AnnouncementLanguage | null;
  readonly paused: boolean;
}

export interface StoredWebhook extends WebhookFields {
  readonly id: number;
  readonly createdAt: number;
  /** Until then the previous secret signs as well. */
  readonly previousUntil: number | null;
  readonly pending: number;
  readonly parked: number;
}

export type StoredDelivery = Omit<
  Selectable<Database['webhook_delivery']>,
  'claim' | 'player_id' | 'webhook_id' | 'request_id' | 'traceparent'
>;

export function webhookAdminStore(db: Db) {
  const { kysely } = db;

  const waiting = (id: number, state: DeliveryState): Promise<number> =>
    kysely
      .selectFrom('webhook_delivery')
      .where('webhook_id', '=', id)
      .where('state', '=', state)
      .$call(countRows);

  const present = (from: Trx | Db['kysely'], id: number) =>
    from.selectFrom('webhook').where('id', '=', id).where('removed_at', 'is', null);

  return {
    /** Newest first. */
    async list(page: PageBefore): Promise<StoredWebhook[]> {
      const query = kysely
        .selectFrom('webhook')
        .selectAll()
        .select(db.now.as('now'))
        .where('removed_at', 'is', null)
        .$call(newestFirst('webhook', page));
      return Promise.all(
        (await query.execute()).map(async (row) => ({
          ...fieldsOf(row),
          id: row.id,
          createdAt: row.created_at,
          previousUntil: (row.previous_until ?? 0) > row.now ? row.previous_until : null,
          pending: await waiting(row.id, 'pending'),
          parked: await waiting(row.id, 'parked'),
        })),
      );
    },

    /** Returns the count, which no other transaction raises before this one ends. */
    async count(trx: Trx): Promise<number> {
      await serialize(trx, 'webhook');
      return trx.selectFrom('webhook').where('removed_at', 'is', null).$call(countRows);
    },

    has: (id: number): Promise<boolean> => present(kysely, id).select('id').$call(hasRow),

    async stateOf(trx: Trx, id: number): Promise<WebhookFields | undefined> {
      const row = await present(trx, id).selectAll().executeTakeFirst();
      return row && fieldsOf(row);
    },

    /** `seal` seals the secret for the new row's id. */
    async add(trx: Trx, fields: WebhookFields, seal: (id: number) => string): Promise<number> {
      const id = await trx.insertInto('webhook').values(columnsOf(fields)).$call(insertedId);
      await trx
        .updateTable('webhook')
        .set({ secret: seal(id) })
        .where('id', '=', id)
        .execute();
      return id;
    },

    async change(trx: Trx, id: number, before: WebhookFields, after: WebhookFields): Promise<void> {
      await trx
        .updateTable('webhook')
        .set(columnsOf(after))
        .where(unchanged({ id, ...columnsOf(before) }))
        .where('removed_at', 'is', null)
        .$call(changeOrRepeat);
    },

    /** Keeps the current secret for another `keptMs`. Returns until when. */
    async rotate(trx: Trx, id: number, secret: string, keptMs: number): Promise<number | undefined> {
      const row = await present(trx, id)
        .select(['secret', db.now.as('now')])
        .executeTakeFirst();
      if (!row) return undefined;
      const previous_until = row.now + keptMs;
      await trx
        .updateTable('webhook')
        .set({ secret, previous_secret: row.secret, previous_until })
        .where('id', '=', id)
        .where('secret', '=', row.secret)
        .$call(changeOrRepeat);
      return previous_until;
    },

    /** Hides the webhook and forgets its URL and secrets. A sweep deletes its deliveries. */
    async remove(trx: Trx, id: number): Promise<void> {
      await trx
        .updateTable('webhook')
        .set({ removed_at: db.now, url: '', secret: '', previous_secret: null })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .$call(changeOrRepeat);
    },

    /** Newest first. */
    deliveries(
      webhookId: number,
      { state, ...page }: PageBefore & { readonly state?: DeliveryState | undefined },
    ): Promise<StoredDelivery[]> {
      const query = kysely
        .selectFrom('webhook_delivery')
        .select(['id', 'event_id', 'type', 'state', 'attempts', 'next_at', 'created_at', 'finished_at'])
        .select(['status', 'answer', 'error', 'duration_ms', 'body'])
        .where('webhook_id', '=', webhookId)
        .$call(newestFirst('webhook_delivery', page));
      return (state === undefined ? query : query.where('state', '=', state)).execute();
    },

    hasDelivery: (trx: Trx, webhookId: number, id: number): Promise<boolean> =>
      trx
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where('id', '=', id)
        .$call(hasRow),

    /** Makes one delivery, or all parked ones, due again with fresh attempts. One that is being sent is left alone. */
    async replay(trx: Trx, webhookId: number, deliveryId: number | undefined): Promise<number> {
      const update = trx
        .updateTable('webhook_delivery')
        .set({ state: 'pending', attempts: 0, next_at: db.now, finished_at: null })
        .where('webhook_id', '=', webhookId)
        .where('claim', 'is', null);
      const { numUpdatedRows } = await (deliveryId === undefined
        ? update.where('state', '=', 'parked')
        : update.where('id', '=', deliveryId)
      ).executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}

export type WebhookAdminStore = ReturnType<typeof webhookAdminStore>;

function fieldsOf(row: Selectable<Database['webhook']>): WebhookFields {
  return {
    url: row.url,
    events: JSON.parse(row.events),
    description: row.description,
    format: row.format as WebhookFormat,
    language: row.language as AnnouncementLanguage | null,
    paused: row.paused !== 0,
  };
}

function columnsOf({ events, paused, ...rest }: WebhookFields) {
  return { ...rest, events: JSON.stringify(events), paused: paused ? 1 : 0 };
}
