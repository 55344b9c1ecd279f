import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The pending responses of each connection, in the order of their requests. */
const pending = new WeakMap<Duplex, ServerResponse[]>();

export function trackResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const responses = pending.get(socket);
  if (responses) responses.push(response);
  else pending.set(socket, [response]);
}

/** To be called when it is closed. */
export function untrackResponse(response: ServerResponse): void {
  const responses = pending.get(response.req.socket);
  const place = responses?.indexOf(response) ?? -1;
  if (place !== -1) responses?.splice(place, 1);
}

/** The response whose turn it is on a connection. */
export function responseInTurn(socket: Duplex): ServerResponse | undefined {
  return pending.get(socket)?.[0];
}
