import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** More requests than this that wait for their responses on one connection, and it is cut. */
export const MAX_UNANSWERED = 128;

/**
 * How many requests of one connection the router handles at a time. A response that is not in turn is kept in memory,
 * and the chunk of a file that is being read for it; with this few, a client that does not read costs little.
 */
const MAX_ROUTED = 4;

interface Pipeline {
  /** The responses that are pending, in the order of their requests. */
  readonly pending: ServerResponse[];
  /** Requests that the router has not been given yet, in their order. */
  readonly waiting: { readonly response: ServerResponse; readonly handle: () => void }[];
}

const pipeline = Symbol('pipeline');

/** On the connection itself: a lookup in a map costs more, and every request needs three. */
type Connection = Duplex & { [pipeline]?: Pipeline };

/** False when too many are pending on its connection already; then it is not tracked. */
export function trackResponse(response: ServerResponse): boolean {
  const connection: Connection = response.req.socket;
  const tracked = connection[pipeline];
  if (tracked === undefined) connection[pipeline] = { pending: [response], waiting: [] };
  else if (tracked.pending.length === MAX_UNANSWERED) return false;
  else tracked.pending.push(response);
  return true;
}

/** To be called when it is closed. */
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

/** Handles a request once few others of its connection are before it. */
export function handleInTurn(response: ServerResponse, handle: () => void): void {
  const tracked = (response.req.socket as Connection)[pipeline];
  if (tracked === undefined || tracked.pending.length <= MAX_ROUTED) handle();
  else tracked.waiting.push({ response, handle });
}

/** Bytes of responses that a connection could not send yet, because its client has not read the ones before. */
export function unreadBytes(connection: Connection): number {
  const pending = connection[pipeline]?.pending ?? [];
  return pending.reduce((bytes, response) => bytes + response.writableLength, connection.writableLength);
}

/** The response whose turn it is on a connection. */
export function responseInTurn(connection: Connection): ServerResponse | undefined {
  return connection[pipeline]?.pending[0];
}
