import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../refusal.ts';
import type { AddressList } from '../security/addresses.ts';
import { randomId } from '../security/random-id.ts';
import { clientAddress, peerAddress } from './client-address.ts';
import { commonHeaders } from './headers.ts';
import { closeIdleConnections } from './idle-connections.ts';
import { renderProblem } from './problem.ts';
import { hasBody, type RequestContext } from './request-context.ts';
import { responseInTurn, trackResponse, untrackResponse } from './responses-in-turn.ts';
import { pickLanguage } from './texts/index.ts';

const MAX_HEADERS = 100;

/** A whole request, body included, must arrive within this; slow clients are cut. */
const REQUEST_TIMEOUT_MS = 8_000;
const HEADERS_TIMEOUT_MS = 5_000;
const CHECK_INTERVAL_MS = 500;

/** Longer than the 60 s for which proxies keep connections, so that they are the ones to close. */
const IDLE_CONNECTION_MS = 75_000;

export type PreRouterHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface PreRouterParts {
  readonly trusted: AddressList;
  /** Asked for every request, so that a reload takes effect at once. */
  readonly denied: () => AddressList;
  /** Tried in this order before the router; the first that takes a request says so and answers it. */
  readonly handlers: readonly PreRouterHandler[];
  readonly serverOptions?: ServerOptions;
  /** Told of every request once its answer is out, and of every one that was not HTTP. */
  readonly observe: {
    finished(request: IncomingMessage, response: ServerResponse): void;
    malformed(fault: { address: string; reason: string; requestId: string }): void;
  };
}

/**
 * What every request passes before the router sees it, in this order: its address is found, the deny list asked, the
 * handlers tried. It stands in front of the router so that bad URLs and static files pass it too.
 */
export function createPreRouter(parts: PreRouterParts, route: RequestListener): Server {
  function observeClosed(this: ServerResponse): void {
    untrackResponse(this);
    parts.observe.finished(this.req, this);
  }
  function receive(request: IncomingMessage, response: ServerResponse): void {
    request.context = newRequestContext(request, parts);
    trackResponse(response);
    response.on('close', observeClosed);
  }
  const server = createServer(
    {
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Idle connections are found below; this timer would be set and cleared anew for every request.
      keepAliveTimeout: 0,
      requireHostHeader: false,
      // A stream of nothing would be read to its end all the same.
      optimizeEmptyRequests: true,
      ...parts.serverOptions,
    },
    (request, response) => {
      receive(request, response);
      admit(parts, route, request, response);
    },
  );
  server.maxHeadersCount = 0;
  closeIdleConnections(server, IDLE_CONNECTION_MS);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    receive(request, response);
    const unmet = new Refusal('invalid_request', { variant: 'http' });
    sendProblem(response, request, preRouterRefusal(parts, request) ?? unmet);
  });
  server.on('connect', (request: IncomingMessage, socket) =>
    refuseMalformed(parts, Object.assign(new Error(), { code: request.method ?? '' }), socket),
  );
  return server;
}

function newRequestContext(request: IncomingMessage, parts: PreRouterParts): RequestContext {
  return {
    id: randomId(),
    address: clientAddress(request, parts.trusted),
    startedAt: performance.now(),
    route: undefined,
  };
}

function admit(
  parts: PreRouterParts,
  route: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const refusal = preRouterRefusal(parts, request);
  if (refusal) return void sendProblem(response, request, refusal);
  for (const handle of parts.handlers) if (handle(request, response)) return;
  // What has no body needs no type, and with one the router would wait for the body.
  if (!hasBody(request)) delete request.headers['content-type'];
  route(request, response);
}

function preRouterRefusal(parts: PreRouterParts, request: IncomingMessage): Refusal | undefined {
  if (parts.denied().has(request.context.address)) return new Refusal('address_denied');
  if (request.rawHeaders.length > MAX_HEADERS * 2)
    return new Refusal('invalid_request', { variant: 'headers' });
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    return new Refusal('invalid_request', { variant: 'host' });
  return undefined;
}

/** Writes a problem without the router's help. */
export function sendProblem(response: ServerResponse, request: IncomingMessage, refusal: Refusal): void {
  const { status, headers, body } = renderProblem(
    refusal,
    request.context.id,
    pickLanguage(request.headers['accept-language']),
  );
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(text),
    ...commonHeaders(request.context.id),
    // What the refused request still has to say is not read.
    ...(hasBody(request) && !request.complete && { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

const malformedVariants: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
};

/** Answers what is not HTTP in the uniform shape too, after those who came before it on the same connection. */
export function refuseMalformed(parts: PreRouterParts, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const before = responseInTurn(socket);
  if (before?.req.complete) return void before.once('close', () => refuseMalformed(parts, error, socket));
  const address = peerAddress((socket as { remoteAddress?: string }).remoteAddress);
  const id = randomId();
  parts.observe.malformed({ address, reason: error.code ?? 'unknown', requestId: id });

  const refusal = parts.denied().has(address)
    ? new Refusal('address_denied')
    : new Refusal('invalid_request', { variant: malformedVariants[error.code ?? ''] ?? 'http' });
  const { status, headers, body } = renderProblem(refusal, id, pickLanguage(undefined));
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    ...commonHeaders(id),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    [`HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Request'}`, ...lines, '', text].join('\r\n'),
  );
  // A peer that never reads must not keep the socket.
  setTimeout(() => socket.destroy(), 1000).unref();
}
