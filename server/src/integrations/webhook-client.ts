import { currentTrace, traceHeaders } from '../runtime/trace.ts';
import { withTimeout } from '../runtime/with-timeout.ts';
import { HostNotAllowed, publicHosts } from './allowed-hosts.ts';
import { sendOnce } from './send-once.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called when the connection is open and nothing has been sent yet. */
  readonly mayStillSend?: () => boolean;
}

export interface WebhookReply {
  readonly status: number | null;
  /** The first 2 KB. */
  readonly answer: string | null;
  /** Why there is no answer. */
  readonly error: string | null;
}

const TIMEOUT_MS = 5000;
const RESOLVE_TIMEOUT_MS = 2000;
const MAX_ANSWER = 2048;

interface ClientOptions {
  /** Whether private and loopback addresses may be contacted, and by http. */
  readonly allowPrivate: boolean;
  /** Resolves names; `dns.lookup` by default. */
  readonly resolve?: Parameters<typeof publicHosts>[1];
}

export type UrlFault = 'webhook_url' | 'webhook_host';

export interface WebhookClient {
  /** Sends once and follows no redirect. Every address is checked after resolution, at each call. */
  send(request: WebhookRequest): Promise<WebhookReply>;
  /** Returns why a URL is refused, or undefined. Accepts a name that does not resolve at the moment. */
  faultOf(url: string): Promise<UrlFault | undefined>;
}

/** Calls the URLs of operators, which must not lead into the network of the service. */
export function webhookClient({ allowPrivate, resolve }: ClientOptions): WebhookClient {
  const secure = publicHosts({ public: true, private: allowPrivate }, resolve);
  const insecure = publicHosts({ public: false, private: true }, resolve);

  function parse(text: string) {
    const url = URL.parse(text);
    if (url === null || url.username !== '' || url.password !== '') return undefined;
    if (url.protocol === 'https:') return { url, hosts: secure };
    return url.protocol === 'http:' && allowPrivate ? { url, hosts: insecure } : undefined;
  }

  return {
    async send({ url: text, body, headers, mayStillSend = () => true }) {
      const parsed = parse(text);
      if (!parsed)
        return {
          status: null,
          answer: null,
          error: 'the URL is not allowed; http:// needs webhooks.private and a restart',
        };
      const reply = await sendOnce({
        ...parsed,
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Gatehouse',
          ...traceHeaders(currentTrace()),
          ...headers,
        },
        timeoutMs: TIMEOUT_MS,
        mayStillSend,
        cutAnswerAt: MAX_ANSWER,
      });
      if (reply.kind === 'answered') return { status: reply.status, answer: reply.text, error: null };
      return { status: null, answer: null, error: reply.why };
    },

    async faultOf(text) {
      const parsed = parse(text);
      if (!parsed) return 'webhook_url';
      const { url, hosts } = parsed;
      const tooLate = () => new Error('the name was not resolved in time');
      try {
        await withTimeout(hosts.require(url.hostname.replace(/^\[|\]$/g, '')), RESOLVE_TIMEOUT_MS, tooLate);
      } catch (error) {
        if (error instanceof HostNotAllowed) return 'webhook_host';
      }
      return undefined;
    },
  };
}
