import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { Refusal } from '../refusal.ts';
import type { AddressList } from '../security/addresses.ts';
import { randomId } from '../security/random-id.ts';
import { clientOf, peerAddress } from './client-address.ts';
import { closeIdleConnections, limitConnections } from './connections.ts';
import { REQUEST_ID } from './headers.ts';
import { createServer, STATUS_CODES } from './node-http.ts';
import { problemResponse, sendProblem } from './problem.ts';
import { hasBody, type RequestContext } from './request-context.ts';
import { handleInTurn, responseInTurn, trackResponse, untrackResponse } from './responses-in-turn.ts';

const MAX_HEADERS = 100;
const PROXY_ID = /^[\w-]{16,64}$/;

/** A whole request, body included, must arrive within this time. Slow clients are disconnected. */
const REQUEST_TIMEOUT_MS = 8_000;
const HEADERS_TIMEOUT_MS = 5_000;
const CHECK_INTERVAL_MS = 500;

/** Longer than the 60 s keep-alive of proxies, so that the proxy closes first. */
const IDLE_CONNECTION_MS = 75_000;

export type PreRouterHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface PreRouterDeps extends MalformedDeps {
  readonly trusted: AddressList;
  /** Upper bound of connections per address. Trusted proxies have no limit. */
  readonly connectionsPerAddress: number;
  /** Tried in this order before the router. The first handler that returns true has answered the request. */
  readonly handlers: readonly PreRouterHandler[];
  readonly serverOptions?: ServerOptions;
  /** Closes a connection, and stops parsing what was already read from it if it can. */
  readonly closeConnection: (socket: Socket) => void;
  /** Called after every response and for every malformed request. */
  readonly observe: MalformedDeps['observe'] & {
    finished(request: IncomingMessage, response: ServerResponse): void;
  };
}

/**
 * Handles every request before the router, in this order: determine the address, check the deny list, try the handlers. It runs
 * in front of the router so that it also covers bad URLs and static files.
 */
export function createPreRouter(deps: PreRouterDeps, route: RequestListener): Server {
  function observeClosed(this: ServerResponse): void {
    untrackResponse(this);
    deps.observe.finished(this.req, this);
  }
  function receive(request: IncomingMessage, response: ServerResponse): boolean {
    if (!trackResponse(response)) return cut(request, deps);
    request.context = newRequestContext(request, deps);
    response.on('close', observeClosed);
    return true;
  }
  const server = createServer(
    {
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Idle connections are closed below; this timer would be set and cleared for every request.
      keepAliveTimeout: 0,
      requireHostHeader: false,
      // Requests without a body get a stream that has already ended, so it need not be read.
      optimizeEmptyRequests: true,
      ...deps.serverOptions,
    },
    (request, response) => {
      if (receive(request, response)) admit(deps, route, request, response);
    },
  );
  server.maxHeadersCount = 0;
  closeIdleConnections(server, IDLE_CONNECTION_MS);
  limitConnections(server, {
    most: deps.connectionsPerAddress,
    exempt: deps.trusted,
    refused: (address) => observeCut(deps, address, 'TOO_MANY_CONNECTIONS'),
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (!receive(request, response)) return;
    const unmet = new Refusal('invalid_request', { variant: 'http' });
    sendProblem(response, request, preRouterRefusal(deps, request) ?? unmet);
  });
  server.on('connect', (request: IncomingMessage, socket) =>
    refuseMalformed(deps, Object.assign(new Error(), { code: request.method ?? '' }), socket),
  );
  return server;
}

/** Closes the connection. Also called for further requests read in the same chunk, which are dropped. */
function cut({ socket }: IncomingMessage, deps: PreRouterDeps): false {
  if (socket.destroyed) return false;
  observeCut(deps, peerAddress(socket.remoteAddress), 'TOO_MANY_UNANSWERED');
  deps.closeConnection(socket);
  return false;
}

function observeCut({ observe }: PreRouterDeps, address: string, reason: string): void {
  observe.malformed({ address, reason, requestId: randomId() });
}

function newRequestContext(request: IncomingMessage, deps: PreRouterDeps): RequestContext {
  const { address, direct } = clientOf(request, deps.trusted);
  return {
    id: proxyRequestId(request, deps.trusted) ?? randomId(),
    address,
    direct,
    startedAt: performance.now(),
    userAgent: request.headers['user-agent'],
    challengeSolution: request.headers['x-challenge-solution'] as string | undefined,
    traceparent: request.headers.traceparent as string | undefined,
    route: undefined,
    account: undefined,
    refused: undefined,
    bodyBytes: 0,
  };
}

/** Returns the request id set by a trusted proxy, so that both logs use the same id. */
function proxyRequestId({ headers, socket }: IncomingMessage, trusted: AddressList): string | undefined {
  const id = headers[REQUEST_ID];
  if (typeof id !== 'string' || !PROXY_ID.test(id)) return undefined;
  return trusted.has(peerAddress(socket.remoteAddress)) ? id : undefined;
}

function admit(
  deps: PreRouterDeps,
  route: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const refusal = preRouterRefusal(deps, request);
  if (refusal) return void sendProblem(response, request, refusal);
  for (const handle of deps.handlers) if (handle(request, response)) return;
  // Without a body the type is meaningless, and the router would wait for a body.
  if (!hasBody(request)) delete request.headers['content-type'];
  handleInTurn(response, () => route(request, response));
}

function preRouterRefusal(deps: PreRouterDeps, request: IncomingMessage): Refusal | undefined {
  if (deps.denied().has(request.context.address)) return new Refusal('address_denied');
  if (request.rawHeaders.length > MAX_HEADERS * 2)
    return new Refusal('invalid_request', { variant: 'headers' });
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1) return new Refusal('invalid_request', { variant: 'hosts' });
  if (hosts === 0 && request.httpVersion === '1.1')
    return new Refusal('invalid_request', { variant: 'host' });
  return undefined;
}

/** Counts Host headers. node:http keeps the first of several; a proxy in front may have used another. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place];
    if (name?.length !== 4) continue;
    if (name === 'Host' || name === 'host' || name.toLowerCase() === 'host') count++;
  }
  return count;
}

export interface MalformedDeps {
  /** Called for every request, so that a reload takes effect immediately. */
  readonly denied: () => AddressList;
  readonly observe: {
    malformed(fault: { address: string; reason: string; requestId: string }): void;
  };
}

const malformedVariants: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
};

/** Answers malformed HTTP with a problem too, after the pending responses of the connection. */
export function refuseMalformed(deps: MalformedDeps, error: NodeJS.ErrnoException, socket: Duplex): void {
  const { bytesRead, remoteAddress } = socket as Socket;
  // Browsers pre-open connections. An unsolicited 400 would be read as the answer to the next request.
  if (bytesRead === 0 || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const before = responseInTurn(socket);
  if (before?.req.complete) return void before.once('close', () => refuseMalformed(deps, error, socket));
  const address = peerAddress(remoteAddress);
  const id = randomId();
  deps.observe.malformed({ address, reason: error.code ?? 'unknown', requestId: id });

  const refusal = deps.denied().has(address)
    ? new Refusal('address_denied')
    : new Refusal('invalid_request', { variant: malformedVariants[error.code ?? ''] ?? 'http' });
  const { status, headers, text } = problemResponse(refusal, id, undefined);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'));
  // Do not keep the socket open for a peer that never reads.
  setTimeout(() => socket.destroy(), 1000).unref();
}
