import type { AnswerOf, BodyOf, HeadersOf, ParamsOf, QueryOf, Route } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Refusal } from '../refusal.ts';
import type { Identity } from './authentication.ts';
import { BODY_LIMIT } from './bodies.ts';
import { JSON_TYPE } from './fast-path/raw-response.ts';
import { queryOf, type RequestContext } from './request-context.ts';
import { parseUrlEncoded, textParser } from './text-fields.ts';
import { validator } from './validation.ts';

/** What a route's handler is given: validated, typed by the contract. */
export interface Input<R extends Route> {
  readonly body: BodyOf<R>;
  readonly query: QueryOf<R>;
  readonly params: ParamsOf<R>;
  readonly headers: HeadersOf<R>;
  /** Who asks; only on players' routes. */
  readonly identity: R extends { auth: 'player' } ? Identity : undefined;
  readonly context: RequestContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An answer with another status than the route's first one. */
export interface Answered<B> {
  readonly status: number;
  readonly answer: B;
}

export type Handler<R extends Route> = (
  input: Input<R>,
) => Promise<AnswerOf<R> | Answered<AnswerOf<R>> | FastifyReply> | AnswerOf<R> | FastifyReply;

export interface Admission {
  /** Refuses by throwing, before the body is read. */
  readonly admit?: ((context: RequestContext) => void) | undefined;
}

/** Puts a route of the contract on the air: guarded as its `auth` says, limits and validation as it declares them. */
export function mount<R extends Route>(
  app: FastifyInstance,
  route: R,
  handle: Handler<R>,
  { admit }: Admission = {},
): void {
  const read = inputReader(route);
  const usualStatus = firstStatus(route);
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodyLimit ?? BODY_LIMIT,
    ...(admit && { onRequest: async ({ raw }: FastifyRequest) => admit(raw.context) }),
    config: { auth: route.auth, form: route.form === true, signed: route.signed === true },
    handler: async (request, reply) => {
      const result = await handle(read(request, reply));
      if (reply.sent || result === reply) return reply;
      const { status, answer } = isAnswered(result) ? result : { status: usualStatus, answer: result };
      if (route.secret) reply.header('cache-control', 'no-store');
      return reply.code(status).header('content-type', JSON_TYPE).send(JSON.stringify(answer));
    },
  });
}

/** What a route answers with when its handler does not say. */
export function firstStatus({ answers }: Route): number {
  return Math.min(...Object.keys(answers).map(Number));
}

export function answered<B>(status: number, answer: B): Answered<B> {
  return { status, answer };
}

function isAnswered(result: unknown): result is Answered<unknown> {
  return typeof result === 'object' && result !== null && 'answer' in result && 'status' in result;
}

const ignore = () => undefined;

function inputReader<R extends Route>(route: R): (request: FastifyRequest, reply: FastifyReply) => Input<R> {
  const readBody = route.body ? bodyReader(route.body) : ignore;
  const readQuery = route.query ? queryReader(route.query, route) : ignore;
  const readParams = route.params ? validator(route.params) : ignore;
  const readHeaders = route.headers ? headersReader(route.headers) : ignore;
  return (request, reply) =>
    ({
      params: readParams(request.params),
      query: readQuery(request),
      headers: readHeaders(request),
      body: readBody(request),
      identity: request.identity,
      context: request.raw.context,
      request,
      reply,
    }) as Input<R>;
}

const FORM = /^application\/x-www-form-urlencoded\b/i;

function bodyReader(schema: TSchema): (request: FastifyRequest) => unknown {
  const check = validator(schema);
  const parseText = textParser(schema);
  return ({ body, headers }) =>
    check(FORM.test(headers['content-type'] ?? '') ? parseText(body as Record<string, unknown>) : body);
}

function queryReader(schema: TSchema, { foreignQuery }: Route): (request: FastifyRequest) => unknown {
  const check = validator(schema);
  const parseText = textParser(schema);
  const how = { foreign: foreignQuery === true };
  return (request) => check(parseText(parseUrlEncoded(queryOf(request.raw), how)));
}

/** Headers are many and not ours: only those the route names are looked at. */
function headersReader(schema: TSchema): (request: FastifyRequest) => unknown {
  const check = validator(schema);
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  return ({ headers, raw }) => {
    for (const name of names) {
      const times = raw.rawHeaders.filter(
        (header, index) => index % 2 === 0 && header.toLowerCase() === name,
      ).length;
      if (times > 1) throw new Refusal('invalid_request', { errors: [{ field: name, message: 'unfit' }] });
    }
    return check(
      Object.fromEntries(names.filter((name) => name in headers).map((name) => [name, headers[name]])),
    );
  };
}
