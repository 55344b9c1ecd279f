const DEFAULT_TIMEOUT_MS = 10_000;

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ServiceAnswer {
  readonly status: number;
  /** Whether the responder is a Gatehouse. */
  readonly isOurs: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface OwnService {
  readonly url: string;
  /** Rejects if there is no answer. */
  ask(request: ServiceRequest): Promise<ServiceAnswer>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Calls the service from outside, as a game server or a browser does. */
export function ownService(url: string, timeoutMs = DEFAULT_TIMEOUT_MS): OwnService {
  return {
    url,
    async ask({ method, target, headers = {}, body }) {
      const response = await fetch(new URL(target, url), {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const fields: unknown = await response.json().catch(() => undefined);
      return {
        status: response.status,
        isOurs: response.headers.has('x-request-id'),
        fields: isRecord(fields) ? fields : {},
      };
    },
  };
}
