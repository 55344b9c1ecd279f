import { createHmac } from 'node:crypto';
import { type GameServerRoutes, gameServerRoutes } from '../contract/game-server.ts';
import { type CallOptions, place, type RouteRow, run } from '../request.ts';

export interface GameServerOptions {
  /** Where the service is. */
  readonly url: string;
  /** Signs `bindAccount` and `link`: the operator's `game_servers.key`, or the key of your zone. */
  readonly key?: string;
  /** Milliseconds until a call fails with `timeout`; 5,000 by default. */
  readonly timeout?: number;
  /** Language of the service's texts: `zh-CN` or `en`. */
  readonly language?: string;
}

/**
 * The calls of a game server. `checkPlayer` returns only if the token belongs to the account; it throws a GatehouseError for
 * everybody else, and if the service does not answer.
 */
export type GameServer = {
  [N in keyof GameServerRoutes]: (
    input: GameServerRoutes[N]['input'],
    options?: CallOptions,
  ) => Promise<GameServerRoutes[N]['answer']>;
};

type Row = RouteRow & { readonly signed?: true };

/** Creates a client of the routes for game servers. */
export function createGameServer({ url, key, timeout = 5000, language }: GameServerOptions): GameServer {
  const { origin } = new URL(url);

  function call(row: Row, input: object, given: CallOptions = {}) {
    const { path, body } = place(row, { ...input });
    const headers = {
      ...(language && { 'accept-language': language }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(row.signed && key && signatureOf({ method: row.method, path, body }, key)),
    };
    const request = { method: row.method, url: origin + path, headers, body };
    return run(request, { timeout, ...given }, async () => null);
  }

  const rows: [string, Row][] = Object.entries(gameServerRoutes);
  const calls = rows.map(([name, row]) => [
    name,
    (input: object, given?: CallOptions) => call(row, input, given),
  ]);
  return Object.fromEntries(calls);
}

/** Signs the whole request; the service accepts a signature once, within 300 seconds. */
function signatureOf(call: { method: string; path: string; body: string | undefined }, key: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const text = `${timestamp}\n${call.method}\n${call.path}\n${call.body ?? ''}`;
  return { 'x-timestamp': timestamp, 'x-signature': createHmac('sha256', key).update(text).digest('hex') };
}
