import { adminRoutes, type ListedDelivery, type ListedWebhook } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { pathId } from '../../../http/paging.ts';
import { Refusal } from '../../../refusal.ts';
import { timeText, timeTextOrNull } from '../../../runtime/time.ts';
import type { WebhookAdmin } from './module.ts';
import type { StoredDelivery, StoredWebhook } from './store.ts';

interface WebhookRouteDeps {
  readonly webhooks: WebhookAdmin;
  /** Applies a change on this instance immediately; others see it at their next poll. */
  readonly refresh: () => Promise<void>;
}

export function webhookAdminRoutes(app: FastifyInstance, { webhooks, refresh }: WebhookRouteDeps): void {
  mountList(app, adminRoutes.listWebhooks, {
    plural: 'webhooks',
    shape: ['number', 'number'],
    find: (_input, { limit, after }) => webhooks.list({ limit, before: after }),
    positionOf: ({ createdAt, id }) => [createdAt, id],
    shown: listedWebhook,
  });
  mount(app, adminRoutes.addWebhook, async ({ body, operator }) => {
    const { description = '', format = 'standard', language = null, ...rest } = body;
    const fields = { ...rest, description, format, language, paused: false };
    const { id, secret, auditId } = await webhooks.add(operator.actor, fields).finally(refresh);
    return answered(201, { id, secret, audit_id: auditId });
  });
  mount(app, adminRoutes.setWebhook, async ({ params, body, operator }) => ({
    audit_id: await webhooks.set(operator.actor, { ...body, id: pathId(params.id) }).finally(refresh),
  }));
  mount(app, adminRoutes.removeWebhook, async ({ params, operator }) => ({
    audit_id: await webhooks.remove(operator.actor, pathId(params.id)).finally(refresh),
  }));
  mount(app, adminRoutes.rotateWebhookSecret, async ({ params, operator }) => {
    const { secret, previousUntil, auditId } = await webhooks.rotateSecret(operator.actor, pathId(params.id));
    return { secret, previous_secret_until: timeText(previousUntil), audit_id: auditId };
  });
  mountList(app, adminRoutes.listDeliveries, {
    plural: 'deliveries',
    shape: ['number', 'number'],
    async find({ params, query: { state } }, { limit, after }) {
      const id = pathId(params.id);
      if (!(await webhooks.has(id))) throw new Refusal('not_found');
      return webhooks.deliveries(id, { limit, before: after, state });
    },
    positionOf: ({ created_at, id }) => [created_at, id],
    shown: listedDelivery,
  });
  mount(app, adminRoutes.replayWebhook, async ({ params, body, operator }) => {
    const order = { id: pathId(params.id), deliveryId: body.delivery_id };
    const { replayed, auditId } = await webhooks.replay(operator.actor, order);
    return { replayed, audit_id: auditId };
  });
  mount(app, adminRoutes.testWebhook, async ({ params }) => {
    const { durationMs, ...outcome } = await webhooks.test(pathId(params.id));
    return answered(200, { ...outcome, duration_ms: durationMs });
  });
}

function listedWebhook({ createdAt, previousUntil, events, ...rest }: StoredWebhook): ListedWebhook {
  return {
    ...rest,
    events: [...events],
    created_at: timeText(createdAt),
    previous_secret_until: timeTextOrNull(previousUntil),
  };
}

function listedDelivery({
  state,
  next_at,
  created_at,
  finished_at,
  ...rest
}: StoredDelivery): ListedDelivery {
  return {
    ...rest,
    state: state as ListedDelivery['state'],
    next_at: state === 'pending' ? timeText(next_at) : null,
    created_at: timeText(created_at),
    finished_at: timeTextOrNull(finished_at),
  };
}
