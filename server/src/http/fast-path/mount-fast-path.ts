import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerOf, BodyOf, Route } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { scheduleBatch } from '../../runtime/batch-scheduler.ts';
import { BODY_LIMIT, parseJson } from '../bodies.ts';
import type { BufferedRequest } from '../buffered-request.ts';
import { type Admission, firstStatus, mount } from '../mount.ts';
import type { RequestContext } from '../request-context.ts';
import { validator } from '../validation.ts';
import {
  JSON_TYPE,
  latin1OfUtf8,
  type RawResponse,
  rawResponse,
  responseHead,
  sendBatched,
} from './raw-response.ts';

/** A route on which the gate serves plain requests itself: a JSON body in, a JSON body out. */
export interface FastPathRoute {
  readonly path: string;
  readonly bodyLimit: number;
  readonly answer: (body: Buffer, context: RequestContext) => Promise<RawResponse>;
}

export type FastPathRoutes = Map<string | undefined, FastPathRoute>;

declare module 'fastify' {
  interface FastifyInstance {
    fastPathRoutes: FastPathRoutes;
  }
}

type OpenPost = Route & { readonly method: 'POST'; readonly auth: 'none' | 'game_server' };

/** Puts a busy open route on the air. The router has it too, for forms and whatever else is not plain. */
export function mountFastPath<R extends OpenPost>(
  app: FastifyInstance,
  route: R & { readonly body: NonNullable<R['body']> },
  handle: (body: BodyOf<R>, context: RequestContext) => Promise<AnswerOf<R>>,
  { admit }: Admission = {},
): void {
  const check = validator(route.body);
  const head = responseHead(firstStatus(route), [
    ...['x-content-type-options', 'nosniff', 'content-type', JSON_TYPE],
    ...(route.secret ? ['cache-control', 'no-store'] : []),
  ]);
  app.fastPathRoutes.set(route.path, {
    path: route.path,
    bodyLimit: route.bodyLimit ?? BODY_LIMIT,
    async answer(body, context) {
      admit?.(context);
      const result = await handle(check(parseJson(body)) as BodyOf<R>, context);
      return rawResponse(head, context.id, latin1OfUtf8(JSON.stringify(result)));
    },
  });
  mount(app, route, ({ body, context }) => handle(body, context), { admit });
}

const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i;

/** JSON of a known, allowed length, in no other clothes. */
export function isPlainJson({ method, headers }: IncomingMessage, { bodyLimit }: FastPathRoute): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return (
    method === 'POST' &&
    length > 0 &&
    length <= bodyLimit &&
    PLAIN_JSON.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined
  );
}

interface Ways {
  readonly stopping: () => boolean;
  readonly fail: (error: unknown, request: IncomingMessage, response: ServerResponse) => void;
}

/** Serves such a request past the router, as the router would, together with the others of this turn. */
export function serveFastPath(
  { path, answer }: FastPathRoute,
  request: BufferedRequest,
  response: ServerResponse,
  { stopping, fail }: Ways,
): void {
  const { context } = request;
  context.route = path;
  const closeIfStopping = () => {
    if (stopping()) response.shouldKeepAlive = false;
  };
  const send = (worded: RawResponse) => {
    closeIfStopping();
    sendBatched(response, worded);
  };
  const refuse = (error: unknown) => {
    closeIfStopping();
    fail(error, request, response);
  };
  request.takeBody((body) => scheduleBatch(() => void answer(body, context).then(send, refuse)));
}
