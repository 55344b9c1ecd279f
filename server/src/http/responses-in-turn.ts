import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const pending = Symbol('pending responses');

/** A connection and its pending responses, in the order of their requests. */
type Connection = Duplex & { [pending]?: ServerResponse[] };

export function trackResponse(response: ServerResponse): void {
  const connection: Connection = response.req.socket;
  if (connection[pending]) connection[pending].push(response);
  else connection[pending] = [response];
}

/** To be called when it is closed. */
export function untrackResponse(response: ServerResponse): void {
  const connection: Connection = response.req.socket;
  const responses = connection[pending] ?? [];
  if (responses[0] === response) responses.shift();
  else connection[pending] = responses.filter((each) => each !== response);
}

/** The response whose turn it is on a connection. */
export function responseInTurn(connection: Connection): ServerResponse | undefined {
  return connection[pending]?.[0];
}
