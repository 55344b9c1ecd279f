import {
  AdminProblem,
  type JsonSchema,
  Problem,
  type RefusalCode,
  type Route,
  refusals,
} from '@gatehouse/contract';
import manifest from '../../../package.json' with { type: 'json' };
import { isStrict } from '../input.ts';
import { OPERATOR_COOKIE } from '../operator.ts';
import { en } from '../texts/en.ts';
import { described, exampleOf } from './schema.ts';

type Json = Record<string, unknown>;

/** Routes by name; the name is the `operationId`, from which generators name their functions. */
export type NamedRoutes = Readonly<Record<string, Route>>;

interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly problem: object;
  readonly securitySchemes: Json;
}

const publicParts: DocumentOptions = {
  title: 'Gatehouse',
  description:
    'Accounts, game zones, game entry, withdrawals and forum login of a browser-game platform. Every failure is an RFC 9457 problem with a stable `code`; decide by `status` and `code`, show `detail` to people.',
  problem: Problem,
  securitySchemes: {
    jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The `token` of a login.' },
  },
};

const adminParts: DocumentOptions = {
  title: 'Gatehouse for operators',
  description: 'The routes of the people who run the platform.',
  problem: AdminProblem,
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: OPERATOR_COOKIE, description: 'Set by the login.' },
    key: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'ghk_…',
      description: 'A key for scripts, made by `gatehouse operator key add`.',
    },
  },
};

/** Builds the OpenAPI 3.1 document for players and game servers from the contract. */
export const openApiDocument = (routes: NamedRoutes, publicUrl: string) =>
  documentOf(routes, publicUrl, publicParts);

/** Builds the operators' document. The players' document contains none of these routes. */
export const adminOpenApiDocument = (routes: NamedRoutes, publicUrl: string) =>
  documentOf(routes, publicUrl, adminParts);

function documentOf(routes: NamedRoutes, publicUrl: string, deps: DocumentOptions): Json {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  const tags = new Set(Object.values(routes).map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: deps.title,
      version: manifest.version,
      description: deps.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Array.from(tags, (name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: described(deps.problem as JsonSchema) },
      securitySchemes: deps.securitySchemes,
    },
  };
}

function operation(name: string, route: Route): Json {
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    security: securityOf(route),
    'x-auth': route.auth,
    ...(route.permission && { 'x-permission': route.permission }),
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...parameters('header', route.headers),
    ],
    ...((route.body ?? route.upload) && { requestBody: { required: true, content: bodyContent(route) } }),
    responses: { ...answersOf(route), ...refusalsOf(route) },
  };
}

function securityOf({ auth }: Route): Json[] {
  if (auth === 'player') return [{ jwt: [] }];
  return auth === 'operator' ? [{ session: [] }, { key: [] }] : [];
}

function parameters(place: 'path' | 'query' | 'header', schema: Route['query']): Json[] {
  const { properties = {}, required = [] } = described((schema ?? {}) as JsonSchema);
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: field,
    ...(description !== undefined && { description }),
  }));
}

function bodyContent(route: Route): Json {
  if (route.upload)
    return Object.fromEntries(
      route.upload.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    );
  const content = withExample(route.body as JsonSchema);
  return { 'application/json': content, ...(route.form && { 'application/x-www-form-urlencoded': content }) };
}

const withExample = (schema: JsonSchema) => ({ schema: described(schema), example: exampleOf(schema) });

function answersOf(route: Route): Json {
  const entries = Object.entries(route.answers).map(([status, { description, schema, mediaType }]) => {
    const type = mediaType ?? (schema && 'application/json');
    const content = {
      ...(type && { [type]: schema ? withExample(schema as JsonSchema) : { schema: { type: 'string' } } }),
      ...(route.audit === 'export' && { 'text/csv': { schema: { type: 'string' } } }),
    };
    return [status, { description, ...(type && { content }) }];
  });
  return Object.fromEntries(entries);
}

/** Returns the codes a route may be refused with, including those of every route of its kind. */
export function codesOf(route: Route): RefusalCode[] {
  const everywhere: RefusalCode[] = ['address_denied', 'internal', 'unavailable'];
  const isChecked = isStrict(route) || route.body || route.query || route.params || route.headers;
  const input: RefusalCode[] = isChecked ? ['invalid_request'] : [];
  const body: RefusalCode[] = route.body ? ['payload_too_large', 'unsupported_media_type'] : [];
  const guarded: RefusalCode[] = [
    ...(route.auth === 'player' ? (['invalid_token', 'account_suspended'] as const) : []),
    ...(route.auth === 'operator' ? (['invalid_token'] as const) : []),
    ...(route.permission ? (['permission_denied', 'totp_required'] as const) : []),
    ...(route.auth === 'operator' && route.method !== 'GET' ? (['caller_not_allowed'] as const) : []),
  ];
  return [...new Set([...route.refusals, ...input, ...body, ...guarded, ...everywhere])];
}

/** Groups refusals by status, because several codes share one. */
function refusalsOf(route: Route): Json {
  const byStatus = Map.groupBy(codesOf(route), (code) => refusals[code]);
  const entries = [...byStatus].map(([status, list]) => [
    String(status),
    {
      description: list.map((code) => `\`${code}\`: ${en.refusals[code][1]}`).join('\n\n'),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          example: problemExample(list[0] as RefusalCode),
        },
      },
    },
  ]);
  return Object.fromEntries(entries.filter(([status]) => !(String(status) in route.answers)));
}

export function problemExample(code: RefusalCode, [title, detail] = en.refusals[code]): Json {
  return {
    type: `urn:gatehouse:problem:${code}`,
    title,
    status: refusals[code],
    detail,
    code,
    request_id: exampleOf({ type: 'string' }, 'request_id'),
  };
}
