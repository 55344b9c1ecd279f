import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The request on whose behalf something is done, as logs and other systems name it. */
export interface Trace {
  readonly requestId?: string | undefined;
  /** The W3C trace context that the request carried. */
  readonly traceparent?: string | undefined;
}

const requests = new AsyncLocalStorage<Trace>();

/** Runs work whose calls to other systems belong to this request. */
export const runTraced = <T>(trace: Trace, work: () => T): T => requests.run(trace, work);

/** Returns the request being handled; empty for periodic work. The fast path sets none: its routes call nothing else. */
export const currentTrace = (): Trace => requests.getStore() ?? {};

/** Returns the fields of log lines and stored events. */
export const traceFields = ({ requestId, traceparent }: Trace) => ({
  ...(requestId !== undefined && { request_id: requestId }),
  ...(traceparent !== undefined && { traceparent }),
});

/** Returns the headers of one call to another system, which is a separate span. */
export const traceHeaders = ({ requestId, traceparent }: Trace): Record<string, string> => ({
  ...(requestId !== undefined && { 'x-request-id': requestId }),
  ...(traceparent !== undefined && { traceparent: childOf(traceparent) }),
});

const childOf = (traceparent: string) =>
  `${traceparent.slice(0, 36)}${randomBytes(8).toString('hex')}${traceparent.slice(52)}`;

const FIELDS = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Only these flags are defined: sampled, and random trace id. */
const KNOWN_FLAGS = 0b11;

/** Returns a `traceparent` header as version 00, unless it is malformed. Later versions may have more fields. */
export function parseTraceparent(header: string | string[] | undefined): string | undefined {
  // Most requests have none, and this runs for every line of the access log.
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, flags, more] = FIELDS.exec(header) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  const known = Number.parseInt(flags ?? '', 16) & KNOWN_FLAGS;
  return `00-${traceId}-${spanId}-0${known}`;
}
