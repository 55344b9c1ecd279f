import { Problem, type RefusalCode, type Route, refusals } from '@gatehouse/contract';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, made of nothing but the contract. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: '1.0.0',
      description:
        'Accounts, game zones, game entry, withdrawals and forum login of a browser-game platform.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function operation(route: Route): Json {
  return {
    tags: [route.tag],
    summary: route.summary,
    security: route.auth === 'player' ? [{ jwt: [] }] : [],
    'x-auth': route.auth,
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...parameters('header', route.headers),
    ],
    ...(route.body && { requestBody: { required: true, content: bodyContent(route) } }),
    responses: { ...answersOf(route), ...refusalsOf(route) },
  };
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
  const content = { schema: route.body };
  return { 'application/json': content, ...(route.form && { 'application/x-www-form-urlencoded': content }) };
}

function answersOf(route: Route): Json {
  const entries = Object.entries(route.answers).map(([status, { description, schema, mediaType }]) => {
    const type = mediaType ?? (schema && 'application/json');
    return [
      status,
      { description, ...(type && { content: { [type]: { schema: schema ?? { type: 'string' } } } }) },
    ];
  });
  return Object.fromEntries(entries);
}

/** Refusals share statuses; each status lists the codes it may carry. */
function refusalsOf(route: Route): Json {
  const everywhere: RefusalCode[] = ['address_denied', 'internal', 'unavailable'];
  const input: RefusalCode[] = route.body || route.query || route.params ? ['invalid_request'] : [];
  const body: RefusalCode[] = route.body ? ['payload_too_large', 'unsupported_media_type'] : [];
  const guarded: RefusalCode[] = route.auth === 'player' ? ['invalid_token', 'account_suspended'] : [];
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
