import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookFormat } from '@gatehouse/contract/admin';
import { pickLanguage } from '../../http/texts/index.ts';
import type { WebhookReply } from '../../integrations/webhook-client.ts';
import type { Endpoint } from './store.ts';
import { lines, type TextContext } from './texts.ts';

export interface MessageContext extends TextContext {
  /** Precedes the text, so that DingTalk accepts it as its keyword. */
  readonly gameName: string;
}

/** Discord takes 2000 characters, WeCom 2048 bytes. */
const MAX_TEXT: Readonly<Record<WebhookFormat, number>> = {
  standard: 0,
  discord: 1900,
  wecom: 650,
  dingtalk: 5000,
};

/** Returns the body to send: the event itself, or a text message of a group chat. */
export function messageOf(
  { format, language }: Pick<Endpoint, 'format' | 'language'>,
  event: string,
  context: MessageContext,
): string {
  if (format === 'standard') return event;
  const { type, data } = JSON.parse(event, format === 'discord' ? plainMarkdown : oneLine) as {
    type: keyof (typeof lines)['en'];
    data: never;
  };
  const line = lines[language ?? pickLanguage(undefined)][type](data, context);
  const text = `[${context.gameName}] ${line}`.slice(0, MAX_TEXT[format]).toWellFormed();
  // Names of players must not notify everyone in the channel.
  if (format === 'discord') return JSON.stringify({ content: text, allowed_mentions: { parse: [] } });
  return JSON.stringify({ msgtype: 'text', text: { content: text } });
}

const oneLine = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll(/\p{Cc}+/gu, ' ') : value;

/** Discord renders Markdown, and names of players and roles could be links. */
const plainMarkdown = (key: string, value: unknown) =>
  typeof value === 'string' && key !== 'type'
    ? String(oneLine(key, value)).replaceAll(/[\\*_~`|<>[\]()]/g, '\\$&')
    : value;

/** Returns why a reply is a failure. WeCom and DingTalk answer 200 with an error code. */
export function failureOf(format: WebhookFormat, { status, answer, error }: WebhookReply): string | null {
  if (error !== null) return error;
  if (status === null || status < 200 || status > 299) return `answered ${status}`;
  if (format !== 'wecom' && format !== 'dingtalk') return null;
  const code = /"errcode"\s*:\s*(-?\d+)/.exec(answer ?? '')?.[1];
  return code === '0' ? null : `answered errcode ${code ?? 'missing'}`;
}

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
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
