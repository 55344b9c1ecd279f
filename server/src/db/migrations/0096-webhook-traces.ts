import { optional, text } from '../ddl.ts';

/** The request that caused an event, which its delivery names in its headers. */
export const webhookTraces = {
  name: '0096-webhook-traces',
  extensions: [
    {
      table: 'webhook_delivery',
      columns: { request_id: optional(text(64)), traceparent: optional(text(55)) },
    },
  ],
} as const;
