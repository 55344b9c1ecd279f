import type { BodyOf, HeadersOf, ParamsOf, QueryOf, Route } from '@gatehouse/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { Refusal, refuseInput } from '../refusal.ts';
import type { Identity } from './authentication.ts';
import type { Upload } from './bodies.ts';
import type { OperatorIdentity } from './operator.ts';
import { queryOf, type RequestContext } from './request-context.ts';
import { fieldsToRead, parseUrlEncoded, textParser } from './text-fields.ts';
import { pickLanguage } from './texts/index.ts';
import { validator } from './validation.ts';

/** Validated input of a route's handler, typed by the contract. */
export interface Input<R extends Route> {
  readonly body: BodyOf<R>;
  readonly query: QueryOf<R>;
  readonly params: ParamsOf<R>;
  readonly headers: HeadersOf<R>;
  /** The file, on routes that take one. */
  readonly upload: R extends { upload: readonly string[] } ? Upload : undefined;
  /** The authenticated player, on players' routes only. */
  readonly identity: R extends { auth: 'player' } ? Identity : undefined;
  /** The operator, on operators' routes only. */
  readonly operator: R extends { auth: 'operator' } ? OperatorIdentity : undefined;
  readonly context: RequestContext;
  readonly request: IfRouted<R, FastifyRequest>;
  readonly reply: IfRouted<R, FastifyReply>;
}

/** Returns where a request came from, and the language of its reader. */
export const originOf = ({ context, request }: { context: RequestContext; request: FastifyRequest }) => ({
  address: context.address,
  userAgent: context.userAgent,
  language: pickLanguage(request.headers['accept-language']),
});

/** Only routes that always go through the router have its objects. */
type IfRouted<R, T> = R extends { fastPath: true } ? undefined : T;

const ignore = () => undefined;
const checkEmpty = validator(Type.Object({}, { additionalProperties: false }));

/** Validates a parsed body. */
export type BodyCheck = (body: unknown) => unknown;

export function bodyCheck({ body }: Route): BodyCheck {
  return body ? validator(body) : ignore;
}

/** Reports whether undeclared fields are refused. Public routes are also called by old clients and through links, which add some. */
export const isStrict = ({ auth }: Route): boolean => auth === 'operator' || auth === 'player';

export function inputReader<R extends Route>(
  route: R,
  checkBody: BodyCheck,
): (request: FastifyRequest, reply: FastifyReply) => Input<R> {
  const readBody = route.body
    ? bodyReader(route.body, checkBody, route)
    : isStrict(route) && !route.upload
      ? readNoBody
      : ignore;
  const readQuery = route.query ? queryReader(route.query, route) : isStrict(route) ? readNoQuery : ignore;
  const readParams = route.params ? paramsReader(route.params) : ignore;
  const readHeaders = route.headers ? headersReader(route.headers) : ignore;
  return (request, reply) =>
    ({
      params: readParams(request.params),
      query: readQuery(request),
      headers: readHeaders(request),
      body: readBody(request),
      upload: route.upload && uploadIn(request),
      identity: request.identity,
      operator: request.operator,
      context: request.raw.context,
      request,
      reply,
    }) as Input<R>;
}

function readNoBody({ body }: FastifyRequest): void {
  if (body !== undefined) checkEmpty(body);
}

function readNoQuery({ raw }: FastifyRequest): void {
  const query = queryOf(raw);
  if (query !== '') checkEmpty({ ...parseUrlEncoded(query) });
}

/** Refuses a request without a file: an empty body has no type, and a JSON body is not a file. */
function uploadIn({ body }: FastifyRequest): Upload {
  if (body === undefined) throw new Refusal('file_refused', { variant: 'damaged' });
  const upload = body as Partial<Upload>;
  if (!Buffer.isBuffer(upload?.content)) throw new Refusal('unsupported_media_type');
  return upload as Upload;
}

const FORM = /^application\/x-www-form-urlencoded\b/i;

function bodyReader(schema: TSchema, check: BodyCheck, route: Route): (request: FastifyRequest) => unknown {
  const parseText = textParser(schema, route);
  return ({ body, headers }) =>
    check(FORM.test(headers['content-type'] ?? '') ? parseText(body as Record<string, unknown>) : body);
}

function queryReader(schema: TSchema, route: Route): (request: FastifyRequest) => unknown {
  const check = validator(schema);
  const parseText = textParser(schema, route);
  const how = { foreign: route.foreignQuery, only: fieldsToRead(route, schema) };
  return (request) => check(parseText(parseUrlEncoded(queryOf(request.raw), how)));
}

function paramsReader(schema: TSchema): (params: unknown) => unknown {
  const check = validator(schema);
  const parseText = textParser(schema);
  return (params) => check(parseText({ ...(params as Record<string, unknown>) }));
}

/** Reads only the headers that the route declares. */
function headersReader(schema: TSchema): (request: FastifyRequest) => unknown {
  const check = validator(schema);
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  return ({ headers, raw }) => {
    for (const name of names) {
      const times = raw.rawHeaders.filter(
        (header, index) => index % 2 === 0 && header.toLowerCase() === name,
      ).length;
      if (times > 1) throw refuseInput(name, 'unfit');
    }
    return check(
      Object.fromEntries(names.filter((name) => name in headers).map((name) => [name, headers[name]])),
    );
  };
}
