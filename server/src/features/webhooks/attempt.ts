import type { WebhookClient, WebhookReply, WebhookRequest } from '../../integrations/webhook-client.ts';
import { failureOf, type Message, type MessageContext, messageOf, signedHeaders } from './message.ts';
import type { Endpoint } from './store.ts';

export interface AttemptDeps {
  readonly client: Pick<WebhookClient, 'send'>;
  readonly context: MessageContext;
}

export interface Attempted extends WebhookReply {
  readonly delivered: boolean;
  readonly durationMs: number;
}

export type Attempt = ReturnType<typeof createAttempt>;

const MAX_ERROR = 255;

/** Sends an event once, signed. */
export function createAttempt({ client, context }: AttemptDeps) {
  return async (
    endpoint: Endpoint,
    { eventId, body: event }: Message,
    mayStillSend?: WebhookRequest['mayStillSend'],
  ): Promise<Attempted> => {
    const begun = performance.now();
    const body = messageOf(endpoint, event, context);
    const reply =
      endpoint.secrets.length === 0
        ? {
            status: null,
            answer: null,
            error: 'no key in auth.seal_key and auth.jwt_secret opens the secret',
          }
        : await client.send({
            url: endpoint.url,
            body,
            headers: signedHeaders(endpoint.secrets, { eventId, body }),
            ...(mayStillSend && { mayStillSend }),
          });
    const error = failureOf(endpoint.format, reply);
    return {
      ...reply,
      error: error?.slice(0, MAX_ERROR) ?? null,
      delivered: error === null,
      durationMs: Math.round(performance.now() - begun),
    };
  };
}
