import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export interface Message {
  readonly eventId: string;
  readonly body: string;
}

/** Returns the headers of Standard Webhooks: one signature for each secret, so that secrets can be rotated. */
export function signedHeaders(
  secrets: readonly string[],
  { eventId, body }: Message,
  now: number = Date.now(),
): Record<string, string> {
  const timestamp = Math.floor(now / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
