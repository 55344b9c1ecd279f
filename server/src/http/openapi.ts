import { AdminProblem, Problem, type RefusalCode, type Route, refusals } from '@gatehouse/contract';
import { OPERATOR_COOKIE } from './operator.ts';

type Json = Record<string, unknown>;

interface DocumentParts {
  readonly title: string;
  readonly description: string;
  readonly problem: object;
  readonly securitySchemes: Json;
}

const publicParts: DocumentParts = {
  title: 'Gatehouse',
  description: 'Accounts, game zones, game entry, withdrawals and forum login of a browser-game platform.',
  problem: Problem,
  securitySchemes: { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
};

const adminParts: DocumentParts = {
  title: 'Gatehouse for operators',
  description: 'The routes of the people who run the platform.',
  problem: AdminProblem,
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: OPERATOR_COOKIE },
    key: { type: 'http', scheme: 'bearer', bearerFormat: 'ghk_…' },
  },
};

/** Builds the OpenAPI 3.1 document for players and game servers from the contract. */
export const openApiDocument = (routes: readonly Route[], publicUrl: string) =>
  documentOf(routes, publicUrl, publicParts);

/** Builds the operators' document. The players' document contains none of these routes. */
export const adminOpenApiDocument = (routes: readonly Route[], publicUrl: string) =>
  documentOf(routes, publicUrl, adminParts);

function documentOf(routes: readonly Route[], publicUrl: string, parts: DocumentParts): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: parts.title,
      version: '1.0.0',
      description: parts.description,
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem: parts.problem },
      securitySchemes: parts.securitySchemes,
    },
  };
}

function operation(route: Route): Json {
  return {
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
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: field,
    ...(field.description !== undefined && { description: field.description }),
  }));
}

function bodyContent(route: Route): Json {
  if (route.upload)
    return Object.fromEntries(
      route.upload.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    );
  const content = { schema: route.body };
  return { 'application/json': content, ...(route.form && { 'application/x-www-form-urlencoded': content }) };
}

function answersOf(route: Route): Json {
  const entries = Object.entries(route.answers).map(([status, { description, schema, mediaType }]) => {
    const type = mediaType ?? (schema && 'application/json');
    const content = {
      ...(type && { [type]: { schema: schema ?? { type: 'string' } } }),
      ...(route.audit === 'export' && { 'text/csv': { schema: { type: 'string' } } }),
    };
    return [status, { description, ...(type && { content }) }];
  });
  return Object.fromEntries(entries);
}

/** Groups refusals by status, because several codes share one. */
function refusalsOf(route: Route): Json {
  const everywhere: RefusalCode[] = ['address_denied', 'internal', 'unavailable'];
  const input: RefusalCode[] = route.body || route.query || route.params ? ['invalid_request'] : [];
  const body: RefusalCode[] = route.body ? ['payload_too_large', 'unsupported_media_type'] : [];
  const guarded: RefusalCode[] = [
    ...(route.auth === 'player' ? (['invalid_token', 'account_suspended'] as const) : []),
    ...(route.auth === 'operator' ? (['invalid_token'] as const) : []),
    ...(route.permission ? (['permission_denied', 'totp_required'] as const) : []),
    ...(route.auth === 'operator' && route.method !== 'GET' ? (['caller_not_allowed'] as const) : []),
  ];
  const codes = [...new Set([...route.refusals, ...input, ...body, ...guarded, ...everywhere])];
  const byStatus = Map.groupBy(codes, (code) => refusals[code]);
  const entries = [...byStatus].map(([status, list]) => [
    String(status),
    {
      description: list.map((code) => `\`${code}\``).join(', '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  return Object.fromEntries(entries.filter(([status]) => !(String(status) in route.answers)));
}
