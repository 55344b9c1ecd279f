import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerOf, BodyOf, Route } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { scheduleBatch } from '../runtime/batch-scheduler.ts';
import { BODY_LIMIT, parseJson } from './bodies.ts';
import { type Admission, firstStatus, mount } from './mount.ts';
import {
  JSON_TYPE,
  oneCharacterPerByte,
  prepareHead,
  sendTogether,
  type WordedAnswer,
  wordAnswer,
} from './prepared-answer.ts';
import { validator } from './validation.ts';
import type { Visit } from './visit.ts';
import type { VisitingMessage } from './visiting-message.ts';

/** A route on which the gate serves plain requests itself: a JSON body in, a JSON body out. */
export interface DirectRoute {
  readonly path: string;
  readonly bodyLimit: number;
  readonly answer: (body: Buffer, visit: Visit) => Promise<WordedAnswer>;
}

export type DirectRoutes = Map<string | undefined, DirectRoute>;

declare module 'fastify' {
  interface FastifyInstance {
    directRoutes: DirectRoutes;
  }
}

type OpenPost = Route & { readonly method: 'POST'; readonly open: true };

/** Puts a busy open route on the air. The router has it too, for forms and whatever else is not plain. */
export function mountDirect<R extends OpenPost>(
  app: FastifyInstance,
  route: R & { readonly body: NonNullable<R['body']> },
  handle: (body: BodyOf<R>, visit: Visit) => Promise<AnswerOf<R>>,
  { admit }: Admission = {},
): void {
  const check = validator(route.body);
  const head = prepareHead(firstStatus(route), [
    ...['x-content-type-options', 'nosniff', 'content-type', JSON_TYPE],
    ...(route.secret ? ['cache-control', 'no-store'] : []),
  ]);
  app.directRoutes.set(route.path, {
    path: route.path,
    bodyLimit: route.bodyLimit ?? BODY_LIMIT,
    async answer(body, visit) {
      admit?.(visit);
      const result = await handle(check(parseJson(body)) as BodyOf<R>, visit);
      return wordAnswer(head, visit.id, oneCharacterPerByte(JSON.stringify(result)));
    },
  });
  mount(app, route, ({ body, visit }) => handle(body, visit), { admit });
}

const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i;

/** JSON of a known, allowed length, in no other clothes. */
export function isPlainJson({ method, headers }: IncomingMessage, { bodyLimit }: DirectRoute): boolean {
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
export function serveDirect(
  { path, answer }: DirectRoute,
  request: VisitingMessage,
  response: ServerResponse,
  { stopping, fail }: Ways,
): void {
  const { visit } = request;
  visit.route = path;
  const closeIfStopping = () => {
    if (stopping()) response.shouldKeepAlive = false;
  };
  const send = (worded: WordedAnswer) => {
    closeIfStopping();
    sendTogether(response, worded);
  };
  const refuse = (error: unknown) => {
    closeIfStopping();
    fail(error, request, response);
  };
  request.takeBody((body) => scheduleBatch(() => void answer(body, visit).then(send, refuse)));
}
