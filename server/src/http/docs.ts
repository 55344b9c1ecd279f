import { hash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Route, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { cachedBody, isFresh } from './cached-body.ts';
import { docsPage } from './docs-page.ts';
import { docsStyle } from './docs-style.ts';
import { acceptedEncoding } from './encoding.ts';
import { JSON_TYPE, responseHeaders } from './headers.ts';
import { mount } from './mount.ts';
import { adminOpenApiDocument, openApiDocument } from './openapi.ts';

/** The page runs nothing and loads nothing; its one style is known. */
const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', docsStyle, 'base64')}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`;

/** The OpenAPI document and the page that shows it, both from the contract. */
export function docs(app: FastifyInstance, publicUrl: string): void {
  const all = Object.values<Route>(routes);
  const body = cachedBody(JSON.stringify(openApiDocument(all, publicUrl)));
  mount(app, routes.openapi, () => body);
  const adminDocument = adminOpenApiDocument(Object.values<Route>(adminRoutes), publicUrl);
  const adminBody = JSON.stringify(adminDocument);
  mount(app, adminRoutes.openapi, ({ reply }) =>
    reply.headers({ 'content-type': JSON_TYPE, ...responseHeaders.secret }).send(adminBody),
  );

  const page = cachedBody(docsPage(all, routes.openapi.path), 'text/html; charset=utf-8');
  const compressed = { br: brotliCompressSync(page.bytes), gzip: gzipSync(page.bytes) };
  for (const url of ['/api/docs', '/api/docs/'])
    app.get(url, { config: { auth: 'none' } }, (request, reply) => {
      reply.headers({
        ...responseHeaders.cached(page.etag),
        'content-security-policy': DOCS_POLICY,
        vary: 'accept-encoding',
      });
      if (isFresh(request.raw, page)) return reply.code(304).send();
      const encoding = acceptedEncoding(request.headers['accept-encoding']);
      if (encoding) reply.header('content-encoding', encoding);
      return reply.header('content-type', page.type).send(encoding ? compressed[encoding] : page.bytes);
    });
}
