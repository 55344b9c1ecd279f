import { createHmac } from 'node:crypto';
import type { WebhookData } from '../contract/game-server.ts';
import { invalidSignature, isEqual } from './gm-command.ts';

/** An event of the service. The same `id` may arrive twice. */
export type WebhookEvent = {
  [T in keyof WebhookData]: {
    readonly id: string;
    readonly type: T;
    /** When it happened; RFC 3339, UTC. */
    readonly timestamp: string;
    readonly data: WebhookData[T];
  };
}[keyof WebhookData];

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_S = 300;

/**
 * Returns the event in a webhook as Standard Webhooks sign it. Throws a GatehouseError `invalid_signature` if it is forged, or
 * older than five minutes; its `message` has the reason. `body` is the raw body as it arrived; `secret` begins with `whsec_`.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
  const isSigned = (signatures ?? '').split(' ').some((each) => isEqual(each, `v1,${expected}`));
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S;
  if (key.length === 0) throw invalidSignature('the secret is empty');
  if (!isSigned)
    throw invalidSignature('no signature matches; compare the secret, and use the body as it arrived');
  if (!isRecent) throw invalidSignature(`webhook-timestamp is not within ${TOLERANCE_S} s of this clock`);
  return { id, ...JSON.parse(text) };
}

function headerOf(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}
