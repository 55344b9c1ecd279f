import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const owed = Symbol('responses owed');

/** A connection and the responses it still owes, in the order of their requests. */
type Connection = Duplex & { [owed]?: ServerResponse[] };

export function trackResponse(response: ServerResponse): void {
  const connection: Connection = response.req.socket;
  if (connection[owed]) connection[owed].push(response);
  else connection[owed] = [response];
}

/** To be called when it is closed. */
export function untrackResponse(response: ServerResponse): void {
  const connection: Connection = response.req.socket;
  const responses = connection[owed] ?? [];
  if (responses[0] === response) responses.shift();
  else connection[owed] = responses.filter((each) => each !== response);
}

/** The response whose turn it is on a connection. */
export function responseInTurn(connection: Connection): ServerResponse | undefined {
  return connection[owed]?.[0];
}
