export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body if it is JSON, else undefined. */
  readonly json: unknown;
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly follow?: boolean;
}

export interface Client {
  readonly url: URL;
  readonly isLocal: boolean;
  send(path: string, options?: RequestOptions): Promise<Answer>;
  /** Every answer so far, for checks that apply to all. */
  readonly seen: readonly { path: string; answer: Answer }[];
}

const TIMEOUT_MS = 10_000;

/** Sends requests to the deployment as any client on the network can. */
export function clientOf(url: URL): Client {
  const seen: { path: string; answer: Answer }[] = [];
  return {
    url,
    isLocal: /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname),
    seen,
    async send(path, { method = 'GET', body, raw, token, headers, follow = false } = {}) {
      const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await fetch(new URL(path, url), {
        method,
        redirect: follow ? 'follow' : 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'accept-language': 'en',
          ...(content !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
      }).catch((error: Error) => {
        throw new Error(`${path}: no answer (${reasonOf(error)})`);
      });
      const text = await response.text();
      const answer = { status: response.status, headers: response.headers, text, json: parsed(text) };
      seen.push({ path, answer });
      return answer;
    },
  };
}

function reasonOf(error: Error): string {
  const { code, message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message ?? error.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
