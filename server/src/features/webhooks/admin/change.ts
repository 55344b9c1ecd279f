import type { WebhookClient } from '../../../integrations/webhook-client.ts';
import { Refusal, refuseField, refuseInput } from '../../../refusal.ts';
import { timeText } from '../../../runtime/time.ts';
import { type Sealer, sealContext } from '../../../security/sealer.ts';
import { type Actor, changes, type Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { newSecret } from '../message.ts';
import type { WebhookAdminStore, WebhookFields } from './store.ts';

export interface WebhookAdminDeps {
  readonly webhooks: WebhookAdminStore;
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly client: Pick<WebhookClient, 'faultOf'>;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

/** Each webhook has its own connections, so their number is bounded. */
const MAX_WEBHOOKS = 32;
const PREVIOUS_SECRET_MS = 24 * 3600 * 1000;

/** Adds a webhook. Its secret is shown once. */
export function addWebhook({ webhooks, sealer, client, audit }: WebhookAdminDeps) {
  return async (actor: Actor, given: WebhookFields, { reason }: Why = {}) => {
    const fields = await checked(client, given);
    const secret = newSecret();
    return audit.transaction(actor, async (trx, append) => {
      if ((await webhooks.count(trx)) >= MAX_WEBHOOKS)
        throw refuseInput('url', 'webhooks', { limit: MAX_WEBHOOKS });
      const id = await webhooks.add(trx, fields, (row) => sealer.seal(secret, sealContext.webhook(row)));
      const auditId = await append({
        ...entry(id, reason),
        action: 'webhook.add',
        after: readable(fields),
      });
      return { id, secret, auditId };
    });
  };
}

/** Changes the given fields. Returns the id of the audit entry, or null if nothing changed. */
export function setWebhook({ webhooks, client, audit }: WebhookAdminDeps) {
  return async (
    actor: Actor,
    { id, ...given }: Partial<WebhookFields> & { readonly id: number },
    { reason }: Why = {},
  ): Promise<string | null> => {
    const fields = await checked(client, given);
    return audit.transaction(actor, async (trx, append) => {
      const before = await webhooks.stateOf(trx, id);
      if (!before) throw new Refusal('not_found');
      const isSameList = JSON.stringify(fields.events) === JSON.stringify(before.events);
      const wanted = { ...fields, ...(isSameList && { events: before.events }) };
      const changed = changes<WebhookFields>(before, wanted);
      if (!changed) return null;
      await webhooks.change(trx, id, before, { ...before, ...wanted });
      return append({
        ...entry(id, reason),
        action: 'webhook.set',
        before: readable(changed.before),
        after: readable(changed.after),
      });
    });
  };
}

/** Makes a new secret, shown once. The old one signs as well for another day. */
export function rotateSecret({ webhooks, sealer, audit }: WebhookAdminDeps) {
  return (actor: Actor, id: number, { reason }: Why = {}) => {
    const secret = newSecret();
    return audit.transaction(actor, async (trx, append) => {
      const sealed = sealer.seal(secret, sealContext.webhook(id));
      const previousUntil = await webhooks.rotate(trx, id, sealed, PREVIOUS_SECRET_MS);
      if (previousUntil === undefined) throw new Refusal('not_found');
      const after = { previous_secret_until: timeText(previousUntil) };
      const auditId = await append({ ...entry(id, reason), action: 'webhook.set', after });
      return { secret, previousUntil, auditId };
    });
  };
}

export function removeWebhook({ webhooks, audit }: WebhookAdminDeps) {
  return (actor: Actor, id: number, { reason }: Why = {}): Promise<string> =>
    audit.transaction(actor, async (trx, append) => {
      const before = await webhooks.stateOf(trx, id);
      if (!before) throw new Refusal('not_found');
      await webhooks.remove(trx, id);
      return append({ ...entry(id, reason), action: 'webhook.remove', before: readable(before) });
    });
}

/** Makes one delivery due again, or all that are parked. */
export function replayDeliveries({ webhooks, audit }: WebhookAdminDeps) {
  return (
    actor: Actor,
    { id, deliveryId }: { readonly id: number; readonly deliveryId?: number | undefined },
    { reason }: Why = {},
  ): Promise<{ replayed: number; auditId: string | null }> =>
    audit.transaction(actor, async (trx, append) => {
      const isKnown =
        (await webhooks.stateOf(trx, id)) &&
        (deliveryId === undefined || (await webhooks.hasDelivery(trx, id, deliveryId)));
      if (!isKnown) throw new Refusal('not_found');
      const replayed = await webhooks.replay(trx, id, deliveryId);
      if (replayed === 0) return { replayed, auditId: null };
      const after = { replayed, ...(deliveryId !== undefined && { delivery_id: deliveryId }) };
      return { replayed, auditId: await append({ ...entry(id, reason), action: 'webhook.replay', after }) };
    });
}

/** Refuses a URL that may not be called and an event named twice. */
async function checked<F extends Partial<WebhookFields>>(
  client: WebhookAdminDeps['client'],
  fields: F,
): Promise<F> {
  const { url, events } = fields;
  const fault = url === undefined ? undefined : await client.faultOf(url);
  if (fault) throw refuseInput('url', fault);
  if (events && new Set(events).size < events.length) throw refuseField('invalid_request', 'events');
  return fields;
}

const entry = (id: number, reason: string | undefined) => ({ subject: { kind: 'webhook', id }, reason });

/** Shows only the host of the URL: the rest may be a secret, such as the token of a group chat. */
function readable({ url, ...rest }: Partial<WebhookFields>): object {
  return { ...(url !== undefined && { url: `${URL.parse(url)?.origin}/***` }), ...rest };
}
