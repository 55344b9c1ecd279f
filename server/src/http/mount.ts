import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { AnswerOf, Route } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { runTraced } from '../runtime/trace.ts';
import { BODY_LIMIT } from './bodies.ts';
import { type CachedBody, isCachedBody, isFresh } from './cached-body.ts';
import { acceptsGzip } from './encoding.ts';
import { JSON_TYPE, responseHeaders } from './headers.ts';
import { type BodyCheck, bodyCheck, type Input, inputReader } from './input.ts';
import { type RequestContext, traceOf } from './request-context.ts';

/**
 * Counted from the arrival of a request, because a slow database also delays its authentication. Longer than a withdrawal waits
 * for its outcome, shorter than nginx waits for us (30 s).
 */
export const ANSWER_WITHIN_MS = 25_000;
const RETRY_S = 5;

/** An answer whose status is not the route's first one. */
export interface Answered<B> {
  readonly status: number;
  readonly answer: B;
}

type Result<B> = B | Answered<B> | CachedBody | FastifyReply;

export type Handler<R extends Route> = (
  input: Input<R>,
) => Promise<Result<AnswerOf<R>>> | AnswerOf<R> | CachedBody | FastifyReply;

export interface Admission {
  /** Throws a refusal before the body is read. */
  readonly admit?: ((context: RequestContext) => void) | undefined;
  /** Counts a body of `bodyBytes` before it is parsed, so that invalid ones count too; refuses by rejecting. */
  readonly count?: ((context: RequestContext) => Promise<void> | undefined) | undefined;
}

/** A route with its checks and its handler, for the router and the fast path. */
export interface MountedRoute extends Admission {
  readonly route: Route;
  readonly bodyLimit: number;
  /** The status unless the handler returns another. */
  readonly usualStatus: number;
  readonly checkBody: BodyCheck;
  readonly handle: (input: Input<Route>) => unknown;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For `onRoute` hooks. */
    mounted?: MountedRoute;
  }
}

/** Registers a route of the contract with the guard, limits and validation it declares. */
export function mount<R extends Route>(
  app: FastifyInstance,
  route: R,
  handle: Handler<R>,
  { admit, count }: Admission = {},
): void {
  const checkBody = bodyCheck(route);
  const read = inputReader(route, checkBody);
  const bodyLimit = route.bodyLimit ?? BODY_LIMIT;
  const usualStatus = Math.min(...Object.keys(route.answers).map(Number));
  const mounted: MountedRoute = {
    route,
    bodyLimit,
    usualStatus,
    checkBody,
    handle: handle as MountedRoute['handle'],
    admit,
    count,
  };
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit,
    ...(admit && { onRequest: async ({ raw }: FastifyRequest) => admit(raw.context) }),
    config: { auth: route.auth, form: route.form === true, signed: route.signed === true, mounted },
    handler: async (request, reply) => {
      if (route.secret || route.auth === 'operator') reply.headers(responseHeaders.secret);
      const input = read(request, reply);
      const result = await runTraced(traceOf(input.context), () => executeInTime(mounted, input));
      if (reply.sent || result === reply) return reply;
      if (isCachedBody(result)) return sendCached(request, reply, result);
      return sendJson(route, request, reply, withStatus(result, usualStatus));
    },
  });
}

/** Runs the handler with checked input, and notes the account that the request concerns: of its body, query or token. */
export function execute({ handle }: MountedRoute, input: Input<Route>): unknown {
  input.context.account = accountIn(input.body) ?? accountIn(input.query) ?? accountIn(input.identity);
  return handle(input);
}

/** Same with a time limit, except for operators: their exports and checks may take longer. */
export function executeInTime(mounted: MountedRoute, input: Input<Route>): unknown {
  const result = execute(mounted, input);
  if (!(result instanceof Promise) || mounted.route.auth === 'operator') return result;
  const withinMs = ANSWER_WITHIN_MS - (performance.now() - input.context.startedAt);
  return new Promise((resolve, reject) => settleInTime(result, resolve, reject, withinMs));
}

/**
 * Calls `done` with the result or `failed` with its error, and fails with a refusal if there is neither in time: each step of a
 * request has a limit, but many slow ones add up. Takes callbacks, because the fast path is measurably slower with another promise.
 */
export function settleInTime<T>(
  result: Promise<T>,
  done: (value: T) => void,
  failed: (error: unknown) => void,
  withinMs = ANSWER_WITHIN_MS,
): void {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    failed(new Refusal('unavailable', { variant: 'uncertain', retryAfter: RETRY_S }));
  }, withinMs);
  const settle =
    <V>(callback: (value: V) => void) =>
    (value: V) => {
      if (isLate) return;
      clearTimeout(timer);
      callback(value);
    };
  result.then(settle(done), settle(failed));
}

function accountIn(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const { account } = part as { account?: unknown };
  return typeof account === 'string' ? account : undefined;
}

/** Shorter answers fit into one packet anyway. */
const MIN_COMPRESSED = 1400;
const gzipAsync = promisify(gzip);

function sendJson(
  { auth, method }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, answer }: Answered<unknown>,
): FastifyReply | Promise<FastifyReply> {
  reply.code(status).header('content-type', JSON_TYPE);
  const text = JSON.stringify(answer);
  // Compress only what callers with a credential read: no such answer has both a secret and text that another person can choose.
  const isLong =
    method === 'GET' && (auth === 'player' || auth === 'operator') && text.length >= MIN_COMPRESSED;
  if (!isLong) return reply.send(text);
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(text);
  return gzipAsync(text).then((bytes) => reply.header('content-encoding', 'gzip').send(bytes));
}

/** Sends the body, or 304 if the caller already has it. */
function sendCached(request: FastifyRequest, reply: FastifyReply, body: CachedBody): FastifyReply {
  reply.headers(responseHeaders.cached(body.etag));
  if (isFresh(request, body)) return reply.code(304).send();
  return reply.header('content-type', body.type).send(body.bytes);
}

export function answered<B>(status: number, answer: B): Answered<B> {
  return { status, answer };
}

export function withStatus(result: unknown, usualStatus: number): Answered<unknown> {
  return isAnswered(result) ? result : { status: usualStatus, answer: result };
}

function isAnswered(result: unknown): result is Answered<unknown> {
  return typeof result === 'object' && result !== null && 'answer' in result && 'status' in result;
}
