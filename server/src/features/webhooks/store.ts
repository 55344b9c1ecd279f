import type { AnnouncementLanguage } from '@gatehouse/contract';
import type { WebhookFormat } from '@gatehouse/contract/admin';
import { type SqlBool, sql } from 'kysely';
import { sweepOlder } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import { countRows, valuesOf } from '../../db/row-count.ts';
import type { Trace } from '../../runtime/trace.ts';
import { type Sealer, sealContext } from '../../security/sealer.ts';

/** A webhook as deliveries use it. */
export interface Endpoint {
  readonly id: number;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly language: AnnouncementLanguage | null;
  readonly paused: boolean;
  /** In plain text, the current one first. */
  readonly secrets: readonly string[];
}

export interface Claimed {
  readonly id: number;
  readonly eventId: string;
  readonly body: string;
  readonly trace: Trace;
  /** Including this one. */
  readonly attempts: number;
}

/** The outcome of an attempt. `retryAfterMs` is undefined if there is no further one. */
export interface Finished {
  readonly id: number;
  readonly claim: string;
  readonly delivered: boolean;
  readonly retryAfterMs: number | undefined;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** Other instances look at the same rows, so each picks some of this many candidates. */
const CANDIDATES = 4;
const REMOVED_FOR_MS = 60_000;

export function webhookStore(db: Db, sealer: Pick<Sealer, 'open'>) {
  const { kysely } = db;
  const isDue = () => sql<SqlBool>`state = 'pending' and next_at <= ${db.now}`;

  function openSecret(id: number, sealed: string | null): string[] {
    const opened = sealed === null ? undefined : sealer.open(sealed, sealContext.webhook(id));
    return opened ? [opened.bytes.toString()] : [];
  }

  return {
    async endpoint(id: number): Promise<Endpoint | undefined> {
      const row = await kysely
        .selectFrom('webhook')
        .selectAll()
        .select(db.now.as('now'))
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirst();
      if (!row) return undefined;
      const isPreviousValid = row.previous_until !== null && row.previous_until > row.now;
      return {
        id,
        url: row.url,
        format: row.format as WebhookFormat,
        language: row.language as AnnouncementLanguage | null,
        paused: row.paused !== 0,
        secrets: [
          ...openSecret(id, row.secret),
          ...(isPreviousValid ? openSecret(id, row.previous_secret) : []),
        ],
      };
    },

    /** Returns ids of due deliveries, among them those that have waited longest. */
    async due(webhookId: number, limit: number): Promise<number[]> {
      const rows = await kysely
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .where(isDue())
        .orderBy('next_at')
        .limit(limit * CANDIDATES)
        .execute();
      const picked = rows.map(({ id }) => ({ id, order: Math.random() }));
      return picked
        .sort((a, b) => a.order - b.order)
        .slice(0, limit)
        .map(({ id }) => id)
        .sort((a, b) => a - b);
    },

    /** Claims those that are still due. If they are not finished within the lease, they are due again. */
    claim(ids: readonly number[], claim: string, leaseMs: number): Promise<Claimed[]> {
      return db.transaction(async (trx) => {
        await trx
          .updateTable('webhook_delivery')
          .set(({ eb }) => ({ claim, next_at: eb(db.now, '+', leaseMs), attempts: eb('attempts', '+', 1) }))
          .where('id', 'in', ids)
          .where(isDue())
          .execute();
        const rows = await trx
          .selectFrom('webhook_delivery')
          .select(['id', 'event_id as eventId', 'body', 'attempts', 'request_id', 'traceparent'])
          .where('id', 'in', ids)
          .where('claim', '=', claim)
          .execute();
        return rows.map(({ request_id, traceparent, ...row }) => ({
          ...row,
          trace: { requestId: request_id ?? undefined, traceparent: traceparent ?? undefined },
        }));
      });
    },

    /** Gives claimed deliveries back that were not sent. */
    async release(ids: readonly number[], claim: string): Promise<void> {
      await kysely
        .updateTable('webhook_delivery')
        .set(({ eb }) => ({ claim: null, next_at: db.now, attempts: eb('attempts', '-', 1) }))
        .where('id', 'in', ids)
        .where('claim', '=', claim)
        .execute();
    },

    /** Writes outcomes. One whose claim another process has taken over is left out. */
    finish(all: readonly Finished[]): Promise<void> {
      return db.transaction(async (trx) => {
        for (const { id, claim, delivered, retryAfterMs, durationMs, ...outcome } of all) {
          const isFinal = delivered || retryAfterMs === undefined;
          await trx
            .updateTable('webhook_delivery')
            .set(({ eb }) => ({
              ...outcome,
              duration_ms: durationMs,
              claim: null,
              state: delivered ? 'delivered' : isFinal ? 'parked' : 'pending',
              ...(isFinal ? { finished_at: db.now } : { next_at: eb(db.now, '+', retryAfterMs) }),
            }))
            .where('id', '=', id)
            .where('claim', '=', claim)
            .execute();
        }
      });
    },

    async figures(
      webhookIds: readonly number[],
    ): Promise<{ readonly parked: number; readonly oldestPendingMs: number }> {
      let figures = { parked: 0, oldestPendingMs: 0 };
      for (const id of webhookIds) {
        const of = (state: string) =>
          kysely.selectFrom('webhook_delivery').where('webhook_id', '=', id).where('state', '=', state);
        const parked = await of('parked').$call(countRows);
        const oldest = await of('pending')
          .select(['created_at', db.now.as('now')])
          .orderBy('created_at')
          .limit(1)
          .executeTakeFirst();
        const ageMs = oldest ? oldest.now - oldest.created_at : 0;
        figures = {
          parked: figures.parked + parked,
          oldestPendingMs: Math.max(figures.oldestPendingMs, ageMs),
        };
      }
      return figures;
    },

    deleteOlderThan: sweepOlder(db, 'webhook_delivery', ['id'], 'created_at'),

    /** Deletes deliveries of a removed webhook, then the webhook. Instances that still know it may add some for seconds. */
    async deleteRemoved(limit: number): Promise<number> {
      const removed = await kysely
        .selectFrom('webhook')
        .select('id')
        .where(({ eb }) => eb('removed_at', '<', eb(db.now, '-', REMOVED_FOR_MS)))
        .limit(1)
        .executeTakeFirst();
      if (!removed) return 0;
      const ids = await kysely
        .selectFrom('webhook_delivery')
        .select('id')
        .where('webhook_id', '=', removed.id)
        .limit(limit)
        .$call(valuesOf('id'));
      if (ids.length > 0) await kysely.deleteFrom('webhook_delivery').where('id', 'in', ids).execute();
      else await kysely.deleteFrom('webhook').where('id', '=', removed.id).execute();
      return ids.length;
    },
  };
}

export type WebhookStore = ReturnType<typeof webhookStore>;
