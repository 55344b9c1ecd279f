import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** More requests than this that wait for their responses on one connection, and it is cut. */
export const MAX_UNANSWERED = 128;

/**
 * How many requests of one connection the router handles at a time. A response that is not in turn is kept in memory,
 * and the chunk of a file that is being read for it; with this few, a client that does not read costs little.
 */
const MAX_ROUTED = 4;

interface Connection {
  /** The responses that it still owes, in the order of their requests. */
  readonly owed: ServerResponse[];
  /** Requests that the router has not been given yet, in their order. */
  readonly waiting: { readonly response: ServerResponse; readonly handle: () => void }[];
}

const connections = new WeakMap<Duplex, Connection>();

/** False when its connection owes too many already; then it is not tracked. */
export function trackResponse(response: ServerResponse): boolean {
  const { socket } = response.req;
  const connection = connections.get(socket);
  if (connection === undefined) connections.set(socket, { owed: [response], waiting: [] });
  else if (connection.owed.length === MAX_UNANSWERED) return false;
  else connection.owed.push(response);
  return true;
}

/** To be called when it is closed. */
export function untrackResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const connection = connections.get(socket);
  if (connection === undefined) return;
  const { owed, waiting } = connection;
  const place = owed.indexOf(response);
  if (place !== -1) owed.splice(place, 1);
  while (waiting[0] && !socket.destroyed && owed.indexOf(waiting[0].response) < MAX_ROUTED)
    waiting.shift()?.handle();
}

/** Handles a request once few others of its connection are before it. */
export function handleInTurn(response: ServerResponse, handle: () => void): void {
  const connection = connections.get(response.req.socket);
  if (connection === undefined || connection.owed.length <= MAX_ROUTED) handle();
  else connection.waiting.push({ response, handle });
}

/** The response whose turn it is on a connection. */
export function responseInTurn(socket: Duplex): ServerResponse | undefined {
  return connections.get(socket)?.owed[0];
}
