import type { IncomingMessage } from 'node:http';
import type { Caller } from '../security/addresses.ts';

/** What the pre-router knows of a request before it is handled. */
export interface RequestContext extends Caller {
  readonly id: string;
  readonly startedAt: number;
  readonly userAgent: string | undefined;
  /** The solution of a proof of work, as it came. */
  readonly challengeSolution: string | undefined;
  /** The route's pattern, once known: a label of bounded variety for logs and metrics. */
  route: string | undefined;
  /** The account that the request is about, once known; for the line of one that is refused. */
  account: string | undefined;
  /** Why it was refused, and the throttle that spoke. */
  refused: { readonly code: string; readonly throttle: string | undefined } | undefined;
  /** How long the body is, once it was read. */
  bodyBytes: number;
}

declare module 'node:http' {
  interface IncomingMessage {
    context: RequestContext;
  }
}

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
