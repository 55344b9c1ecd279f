import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/open.ts';
import { webhookClient } from '../../../integrations/webhook-client.ts';
import { Refusal } from '../../../refusal.ts';
import { timeText } from '../../../runtime/time.ts';
import { createSealer } from '../../../security/sealer.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { type Attempted, createAttempt } from '../attempt.ts';
import { webhookStore } from '../store.ts';
import { addWebhook, removeWebhook, replayDeliveries, rotateSecret, setWebhook } from './change.ts';
import { webhookAdminStore } from './store.ts';

/** Opens what deliveries and operators share. */
export function openSending({ db, settings }: { readonly db: Db; readonly settings: Settings }) {
  const { auth, webhooks, game, time_zone: timeZone } = settings;
  const sealer = createSealer([...(auth.seal_key ?? []), ...auth.jwt_secret]);
  const client = webhookClient({ allowPrivate: webhooks.private });
  return {
    sealer,
    client,
    store: webhookStore(db, sealer),
    attempt: createAttempt({ client, context: { gameName: game.name, timeZone } }),
  };
}

export function openWebhookAdmin(context: { readonly db: Db; readonly settings: Settings }) {
  const { sealer, client, store, attempt } = openSending(context);
  const webhooks = webhookAdminStore(context.db);
  const deps = { webhooks, sealer, client, audit: auditStore(context.db) };
  return {
    list: webhooks.list,
    has: webhooks.has,
    deliveries: webhooks.deliveries,
    add: addWebhook(deps),
    set: setWebhook(deps),
    rotateSecret: rotateSecret(deps),
    remove: removeWebhook(deps),
    replay: replayDeliveries(deps),

    /** Sends a test event now. It is not stored and not retried. */
    async test(id: number): Promise<Attempted> {
      const endpoint = await store.endpoint(id);
      if (!endpoint) throw new Refusal('not_found');
      const timestamp = timeText(Date.now());
      const body = JSON.stringify({ type: 'webhook.test', timestamp, data: { webhook_id: id } });
      return attempt(endpoint, { eventId: `msg_${randomUUID()}`, body });
    },
  };
}

export type WebhookAdmin = ReturnType<typeof openWebhookAdmin>;
