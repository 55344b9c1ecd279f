import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type Route, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { cachedBody, isFresh } from './cached-body.ts';
import { docsPage, docsStyle } from './docs-page.ts';
import { acceptedEncoding } from './encoding.ts';
import { JSON_TYPE, responseHeaders } from './headers.ts';
import { mount } from './mount.ts';
import { adminOpenApiDocument, openApiDocument } from './openapi.ts';

/** Allows only the page's one inline style. */
const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', docsStyle, 'base64')}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`;

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Serves the OpenAPI document and the page that shows it, both made from the contract. They are rendered on first request:
 * compressing the page takes more than half of the CPU time of a start, and most processes never serve it.
 */
export function docs(app: FastifyInstance, publicUrl: string, siteTitle: () => string): void {
  const all = Object.values<Route>(routes);
  const body = once(() => cachedBody(JSON.stringify(openApiDocument(all, publicUrl))));
  mount(app, routes.openapi, body);
  const adminBody = once(() =>
    JSON.stringify(adminOpenApiDocument(Object.values<Route>(adminRoutes), publicUrl)),
  );
  mount(app, adminRoutes.openapi, ({ reply }) =>
    reply.headers({ 'content-type': JSON_TYPE, ...responseHeaders.secret }).send(adminBody()),
  );

  const render = () => {
    const title = siteTitle();
    const page = cachedBody(docsPage(all, routes.openapi.path, title), 'text/html; charset=utf-8');
    const compressed = {
      br: once(() => compress.br(page.bytes)),
      gzip: once(() => compress.gzip(page.bytes)),
    };
    return { title, page, compressed };
  };
  let last: ReturnType<typeof render> | undefined;
  for (const url of ['/api/docs', '/api/docs/'])
    app.get(url, { config: { auth: 'none' } }, async (request, reply) => {
      if (last?.title !== siteTitle()) last = render();
      const { page, compressed } = last;
      const { bytes, etag, type } = page;
      reply.headers({
        ...responseHeaders.cached(etag),
        'content-security-policy': DOCS_POLICY,
        vary: 'accept-encoding',
      });
      if (isFresh(request.raw, page)) return reply.code(304).send();
      const encoding = acceptedEncoding(request.headers['accept-encoding']);
      if (encoding) reply.header('content-encoding', encoding);
      return reply.header('content-type', type).send(encoding ? await compressed[encoding]() : bytes);
    });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
