import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../refusal.ts';
import type { AddressList } from '../security/addresses.ts';
import { randomId } from '../security/random-id.ts';
import { BufferedRequest } from './buffered-request.ts';
import { clientAddress, peerAddress } from './client-address.ts';
import { type CachedJsonRoutes, serveCachedJson } from './fast-path/cached-json.ts';
import { type FastPathRoutes, isPlainJson, serveFastPath } from './fast-path/mount-fast-path.ts';
import { closeIdleConnections } from './idle-connections.ts';
import { renderProblem } from './problem.ts';
import type { RequestContext } from './request-context.ts';
import { pickLanguage } from './texts/index.ts';

const MAX_HEADERS = 100;

/** A whole request, body included, must arrive within this; slow clients are cut. */
const REQUEST_TIMEOUT_MS = 8_000;
const HEADERS_TIMEOUT_MS = 5_000;
const CHECK_INTERVAL_MS = 500;

/** Longer than the 60 s for which proxies keep connections, so that they are the ones to close. */
const IDLE_CONNECTION_MS = 75_000;

export interface PreRouterParts {
  readonly trusted: AddressList;
  /** Asked for every request, so that a reload takes effect at once. */
  readonly denied: () => AddressList;
  /** Answers retired entry points itself and says whether it did. */
  readonly retired: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly ready: CachedJsonRoutes;
  readonly direct: FastPathRoutes;
  /** Answers a request the gate served itself, and could not. */
  readonly fail: (error: unknown, request: IncomingMessage, response: ServerResponse) => void;
  readonly stopping: () => boolean;
  /** Told of every request once its answer is out, and of every one that was not HTTP. */
  readonly observe: {
    finished(request: IncomingMessage, response: ServerResponse): void;
    malformed(fault: { address: string; reason: string; requestId: string }): void;
  };
}

/**
 * The gate every request passes before the router sees it, in this order: its address is found, the deny list asked,
 * what lies ready, the busiest routes and retired entry points answered. It stands in front of the router so that bad
 * URLs and static files pass it too.
 */
export function createPreRouter(parts: PreRouterParts, route: RequestListener): Server {
  function observeClosed(this: ServerResponse): void {
    parts.observe.finished(this.req, this);
  }
  function receive(request: IncomingMessage, response: ServerResponse): void {
    request.context = newRequestContext(request, parts);
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
      IncomingMessage: BufferedRequest,
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
  request: BufferedRequest,
  response: ServerResponse,
): void {
  const refusal = preRouterRefusal(parts, request);
  if (refusal) return void sendProblem(response, request, refusal);
  if (!parts.stopping() && serve(parts, request, response)) return;
  if (parts.retired(request, response)) return;
  // What has no body needs no type, and with one the router would wait for the body.
  if (!hasBody(request)) delete request.headers['content-type'];
  route(request, response);
}

/** Serves what needs no router, and says whether it did. */
function serve(parts: PreRouterParts, request: BufferedRequest, response: ServerResponse): boolean {
  if (request.method === 'GET' && !hasBody(request)) {
    const ready = parts.ready.get(request.url);
    if (ready) serveCachedJson(request, response, ready());
    return ready !== undefined;
  }
  const direct = parts.direct.get(request.url);
  if (!direct || !isPlainJson(request, direct)) return false;
  serveFastPath(direct, request, response, parts);
  return true;
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
    'x-request-id': request.context.id,
    'x-content-type-options': 'nosniff',
    // What the refused request still has to say is not read.
    ...(hasBody(request) && !request.complete && { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const malformedVariants: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
};

/** Where node:http keeps the answer whose turn it is on a connection. */
interface Answering {
  readonly _httpMessage?: ServerResponse | null;
}

/** Answers what is not HTTP in the uniform shape too, after those who came before it on the same connection. */
export function refuseMalformed(
  parts: PreRouterParts,
  error: NodeJS.ErrnoException,
  socket: Duplex & Answering,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { _httpMessage: before } = socket;
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
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    [`HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Request'}`, ...lines, '', text].join('\r\n'),
  );
  // A peer that never reads must not keep the socket.
  setTimeout(() => socket.destroy(), 1000).unref();
}
