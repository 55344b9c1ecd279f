/** The player's request on whose behalf something is done, as logs and other systems name it. */
export interface Trace {
  readonly requestId?: string | undefined;
  /** The W3C trace context that the request carried. */
  readonly traceparent?: string | undefined;
}

/** Returns the fields of log lines and stored events. */
export const traceFields = ({ requestId, traceparent }: Trace) => ({
  ...(requestId !== undefined && { request_id: requestId }),
  ...(traceparent !== undefined && { traceparent }),
});

/** Returns the headers of calls to other systems. */
export const traceHeaders = ({ requestId, traceparent }: Trace): Record<string, string> => ({
  ...(requestId !== undefined && { 'x-request-id': requestId }),
  ...(traceparent !== undefined && { traceparent }),
});

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns a `traceparent` header, unless it is malformed. */
export function parseTraceparent(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
}
