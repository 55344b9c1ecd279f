import type { IncomingMessage } from 'node:http';
import { parseTraceparent, type Trace } from '../runtime/trace.ts';
import type { Caller } from '../security/addresses.ts';

/** What the pre-router knows about a request. */
export interface RequestContext extends Caller {
  readonly id: string;
  readonly startedAt: number;
  readonly userAgent: string | undefined;
  /** The raw solution of a proof of work. */
  readonly challengeSolution: string | undefined;
  /** The raw W3C trace context, parsed only when it is needed. */
  readonly traceparent: string | undefined;
  /** The route's pattern, once known: a low-cardinality label for logs and metrics. */
  route: string | undefined;
  /** The account the request concerns, once known. Logged if the request is refused. */
  account: string | undefined;
  /** Why the request was refused, and by which throttle. */
  refused: { readonly code: string; readonly throttle: string | undefined } | undefined;
  /** Length of the body, once read. */
  bodyBytes: number;
}

declare module 'node:http' {
  interface IncomingMessage {
    context: RequestContext;
  }
}

export const traceOf = ({ id, traceparent }: RequestContext): Trace => ({
  requestId: id,
  traceparent: parseTraceparent(traceparent),
});

type WithUrl = Pick<IncomingMessage, 'url'>;

export function pathOf({ url = '/' }: WithUrl): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

export function queryOf({ url = '/' }: WithUrl): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
