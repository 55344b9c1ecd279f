import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A connection with more unanswered requests than this is closed. */
export const MAX_UNANSWERED = 128;

/**
 * How many requests of one connection the router handles concurrently. A response waiting for its predecessors is held in memory,
 * with the chunk of a file being read for it; this limit bounds what a client that does not read can cost.
 */
const MAX_ROUTED = 4;

interface Pipeline {
  /** Pending responses, in the order of their requests. */
  readonly pending: ServerResponse[];
  /** Requests not yet passed to the router, in order. */
  readonly waiting: { readonly response: ServerResponse; readonly handle: () => void }[];
}

const pipeline = Symbol('pipeline');

/** Stored on the connection: a map lookup costs more, and every request needs three. */
type Connection = Duplex & { [pipeline]?: Pipeline };

/** Tracks a response. Returns false, without tracking it, if its connection has too many pending. */
export function trackResponse(response: ServerResponse): boolean {
  const connection: Connection = response.req.socket;
  const tracked = connection[pipeline];
  if (tracked === undefined) connection[pipeline] = { pending: [response], waiting: [] };
  else if (tracked.pending.length === MAX_UNANSWERED) return false;
  else tracked.pending.push(response);
  return true;
}

/** Must be called when the response is closed. */
export function untrackResponse(response: ServerResponse): void {
  const connection: Connection = response.req.socket;
  const tracked = connection[pipeline];
  if (tracked === undefined) return;
  const { pending, waiting } = tracked;
  const place = pending.indexOf(response);
  if (place !== -1) pending.splice(place, 1);
  while (waiting[0] && !connection.destroyed && pending.indexOf(waiting[0].response) < MAX_ROUTED)
    waiting.shift()?.handle();
}

/** Handles a request once few enough others are pending before it on its connection. */
export function handleInTurn(response: ServerResponse, handle: () => void): void {
  const tracked = (response.req.socket as Connection)[pipeline];
  if (tracked === undefined || tracked.pending.length <= MAX_ROUTED) handle();
  else tracked.waiting.push({ response, handle });
}

/** Returns how many bytes of responses wait on a connection because its client does not read. */
export function unreadBytes(connection: Connection): number {
  const pending = connection[pipeline]?.pending ?? [];
  return pending.reduce((bytes, response) => bytes + response.writableLength, connection.writableLength);
}

/** Returns the response that is next on a connection. */
export function responseInTurn(connection: Connection): ServerResponse | undefined {
  return connection[pipeline]?.pending[0];
}
