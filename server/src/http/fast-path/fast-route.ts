import type { IncomingMessage } from 'node:http';
import type { Route } from '@gatehouse/contract';
import type { IdentifyPlayer, Identity } from '../authentication.ts';
import { parseJson } from '../bodies.ts';
import { type CachedBody, isCachedBody, isFresh } from '../cached-body.ts';
import { JSON_TYPE, responseHeaders } from '../headers.ts';
import type { Input } from '../input.ts';
import { execute, type MountedRoute, withStatus } from '../mount.ts';
import { hasBody, type RequestContext } from '../request-context.ts';
import {
  latin1OfUtf8,
  type RawResponse,
  type RenderResponse,
  type ResponseHead,
  rawResponse,
  repeatedResponse,
  responseHead,
} from './raw-response.ts';

/** A mounted route, compiled for the fast path. */
export interface FastRoute {
  readonly method: string;
  readonly path: string;
  readonly takesBody: boolean;
  /** Reports whether a request is plain enough. All others go to the router. */
  readonly accepts: (request: IncomingMessage) => boolean;
  /** Runs authentication, admission, validation and handler. Returns the result or a promise. */
  readonly answer: (request: IncomingMessage, body: Buffer | undefined) => unknown;
  readonly encode: (result: unknown, request: IncomingMessage) => RawResponse;
}

export function fastRoute(mounted: MountedRoute, identifyPlayer: IdentifyPlayer): FastRoute {
  refuseUnfit(mounted);
  const { route, bodyLimit, admit, count, checkBody } = mounted;
  const takesBody = route.body !== undefined;
  const encodeJson = jsonEncoder(mounted);
  const encodeCached = cachedEncoder();
  const run = (context: RequestContext, bytes: Buffer | undefined, identity: Identity | undefined) =>
    execute(mounted, { body: bytes && checkBody(parseJson(bytes)), identity, context } as Input<Route>);
  function answer({ context }: IncomingMessage, bytes: Buffer | undefined, identity?: Identity): unknown {
    admit?.(context);
    context.bodyBytes = bytes?.length ?? 0;
    const counting = count?.(context);
    return counting ? counting.then(() => run(context, bytes, identity)) : run(context, bytes, identity);
  }
  return {
    method: route.method,
    path: route.path,
    takesBody,
    accepts: takesBody ? (request) => isPlainJson(request, bodyLimit) : (request) => !hasBody(request),
    answer:
      route.auth === 'none' || route.auth === 'game_server'
        ? answer
        : async (request, bytes) => answer(request, bytes, await identifyPlayer(request)),
    encode: (result, request) =>
      isCachedBody(result) ? encodeCached(result, request) : encodeJson(result, request.context.id),
  };
}

/**
 * Throws for a route the fast path cannot serve: it reads only path, token and body, no query and no operator's session, and
 * does not compress what players read.
 */
function refuseUnfit({ route }: MountedRoute): void {
  const { method, path, auth, body, params, query, headers, signed } = route;
  const isReadable = method === (body ? 'POST' : 'GET') && !(params || query || headers || signed);
  if (!isReadable || auth === 'operator' || (auth === 'player' && !body))
    throw new Error(`${method} ${path} cannot take the fast path`);
}

const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Reports whether the body is unencoded JSON with a known length within the limit. */
function isPlainJson({ headers }: IncomingMessage, bodyLimit: number): boolean {
  const { 'content-length': length = '', 'content-type': type = '' } = headers;
  const bytes = wholeNumber(length);
  return (
    bytes > 0 &&
    bytes <= bodyLimit &&
    (type === 'application/json' || PLAIN_JSON.test(type)) &&
    headers['content-encoding'] === undefined
  );
}

/** Parses digits, which the HTTP parser has validated. `Number(text)` deoptimizes in V8. */
function wholeNumber(digits: string): number {
  let value = 0;
  for (let place = 0; place < digits.length; place++) value = value * 10 + digits.charCodeAt(place) - 48;
  return value;
}

function jsonEncoder({ route, usualStatus }: MountedRoute): (result: unknown, id: string) => RawResponse {
  const heads = new Map<number, ResponseHead>();
  function headOf(status: number): ResponseHead {
    const known = heads.get(status);
    if (known) return known;
    const { every, secret } = responseHeaders;
    const head = responseHead(status, {
      ...every,
      'content-type': JSON_TYPE,
      ...(route.secret && secret),
    });
    heads.set(status, head);
    return head;
  }
  return (result, id) => {
    const { status, answer } = withStatus(result, usualStatus);
    return rawResponse(headOf(status), id, latin1OfUtf8(JSON.stringify(answer)));
  };
}

/** Caches the last body in wire format, because it stays the same for many requests. */
function cachedEncoder(): (body: CachedBody, request: IncomingMessage) => RawResponse {
  let last: CachedBody | undefined;
  let whole: RenderResponse;
  let unchanged: RenderResponse;
  function render(body: CachedBody): void {
    const headers = { ...responseHeaders.every, ...responseHeaders.cached(body.etag) };
    const head = responseHead(200, { ...headers, 'content-type': body.type });
    whole = repeatedResponse(head, body.bytes.toString('latin1'));
    unchanged = repeatedResponse(responseHead(304, headers), '');
    last = body;
  }
  return (body, request) => {
    if (last !== body) render(body);
    return (isFresh(request, body) ? unchanged : whole)(request.context.id);
  };
}
