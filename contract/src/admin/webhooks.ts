import type { Static } from 'typebox';
import { line, orNull, strict, Time } from '../fields.ts';
import { announcementLanguages } from '../player/announcements.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery } from './list.ts';
import { webhookEventTypes } from './webhook-events.ts';

export const webhookFormats = ['standard', 'discord', 'wecom', 'dingtalk'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export const deliveryStates = ['pending', 'delivered', 'parked'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const url = line(
  1,
  1000,
  'https, without a password; http only to private addresses and with `webhooks.private`.',
);
const events = Type.Array(Type.Enum(webhookEventTypes), {
  minItems: 1,
  maxItems: webhookEventTypes.length,
  description: 'Each event once.',
});
const description = line(0, 200);
const format = Type.Enum(webhookFormats, {
  description: '`standard` is JSON as Standard Webhooks say; the others are a text for a group chat.',
});
const language = orNull(
  Type.Enum(announcementLanguages, { description: 'Of the text; null: the default of the service.' }),
);

const ListedWebhook = strict({
  id: Type.Integer(),
  url: Type.String(),
  events: Type.Array(Type.Enum(webhookEventTypes)),
  description: Type.String(),
  format,
  language,
  paused: Type.Boolean(),
  created_at: Time,
  previous_secret_until: orNull(
    Type.String({ format: 'date-time', description: 'Until then the secret before this one signs as well.' }),
  ),
  pending: Type.Integer({ description: 'Deliveries that wait for their first or next try.' }),
  parked: Type.Integer({ description: 'Deliveries that failed for 24 hours and are no longer tried.' }),
});
export type ListedWebhook = Static<typeof ListedWebhook>;

const outcome = {
  status: orNull(Type.Integer({ description: 'HTTP status of the last answer.' })),
  answer: orNull(Type.String({ description: 'The first 2 KB of the last answer.' })),
  error: orNull(Type.String({ description: 'Why the last try failed.' })),
  duration_ms: orNull(Type.Integer()),
};

const ListedDelivery = strict({
  id: Type.Integer(),
  event_id: Type.String({ description: 'The `webhook-id` header; the same at every try.' }),
  type: Type.String(),
  state: Type.Enum(deliveryStates),
  attempts: Type.Integer(),
  next_at: orNull(Time),
  created_at: Time,
  finished_at: orNull(Time),
  ...outcome,
  body: Type.String({ description: 'The event; chat formats send a text made of it.' }),
});
export type ListedDelivery = Static<typeof ListedDelivery>;

const write = { auth: 'operator', permission: 'webhooks.write', tag: 'webhooks', secret: true } as const;
const ofId = strict({ id: Type.String({ minLength: 1, maxLength: 20 }) });
const secret = Type.String({ description: '`whsec_` and base64; shown once.' });

const listWebhooks = route({
  ...write,
  method: 'GET',
  path: '/api/admin/webhooks',
  summary: 'List the webhooks',
  query: strict(pageQuery),
  answers: { 200: { description: 'Newest first', schema: page('webhooks', ListedWebhook) } },
  refusals: [],
});

const addWebhook = route({
  ...write,
  method: 'POST',
  path: '/api/admin/webhooks',
  audit: 'webhook.add',
  summary: 'Send events to a URL',
  body: strict({
    url,
    events,
    description: Type.Optional(description),
    format: Type.Optional(format),
    language: Type.Optional(language),
  }),
  answers: { 201: { description: 'Added', schema: audited({ id: Type.Integer(), secret }) } },
  refusals: [],
});

const setWebhook = route({
  ...write,
  method: 'PATCH',
  path: '/api/admin/webhooks/:id',
  audit: 'webhook.set',
  summary: 'Change the given fields; `paused` keeps events until it is taken back',
  params: ofId,
  body: strict({
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    format: Type.Optional(format),
    language: Type.Optional(language),
    paused: Type.Optional(Type.Boolean()),
  }),
  answers: { 200: { description: 'Changed', schema: audited({}) } },
  refusals: ['not_found'],
});

const removeWebhook = route({
  ...write,
  method: 'DELETE',
  path: '/api/admin/webhooks/:id',
  audit: 'webhook.remove',
  summary: 'Remove a webhook and its deliveries',
  params: ofId,
  answers: { 200: { description: 'Removed', schema: audited({}) } },
  refusals: ['not_found'],
});

const rotateWebhookSecret = route({
  ...write,
  method: 'POST',
  path: '/api/admin/webhooks/:id/secret',
  audit: 'webhook.set',
  summary: 'Make a new secret; the old one signs as well for another day',
  params: ofId,
  answers: {
    200: { description: 'Made', schema: audited({ secret, previous_secret_until: Time }) },
  },
  refusals: ['not_found'],
});

const listDeliveries = route({
  ...write,
  method: 'GET',
  path: '/api/admin/webhooks/:id/deliveries',
  summary: 'List the deliveries of a webhook',
  params: ofId,
  query: strict({ state: Type.Optional(Type.Enum(deliveryStates)), ...pageQuery }),
  answers: { 200: { description: 'Newest first', schema: page('deliveries', ListedDelivery) } },
  refusals: ['not_found'],
});

const replayWebhook = route({
  ...write,
  method: 'POST',
  path: '/api/admin/webhooks/:id/replay',
  audit: 'webhook.replay',
  summary: 'Deliver one delivery again, or all that are parked',
  params: ofId,
  body: strict({ delivery_id: Type.Optional(Type.Integer({ minimum: 1 })) }),
  answers: {
    200: { description: 'Queued', schema: audited({ replayed: Type.Integer() }) },
  },
  refusals: ['not_found'],
});

const testWebhook = route({
  ...write,
  method: 'POST',
  path: '/api/admin/webhooks/:id/test',
  audit: null,
  summary: 'Send an event `webhook.test` now, also to a paused webhook',
  params: ofId,
  answers: {
    200: { description: 'Tried', schema: strict({ delivered: Type.Boolean(), ...outcome }) },
  },
  refusals: ['not_found'],
});

export const webhookRoutes = {
  listWebhooks,
  addWebhook,
  setWebhook,
  removeWebhook,
  rotateWebhookSecret,
  listDeliveries,
  replayWebhook,
  testWebhook,
};
