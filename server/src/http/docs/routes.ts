import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type Route, routes, type Site } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazy } from '../../runtime/lazy.ts';
import { cachedBody, isFresh } from '../cached-body.ts';
import { acceptedEncoding } from '../encoding.ts';
import { JSON_TYPE, responseHeaders } from '../headers.ts';
import { mount } from '../mount.ts';
import { queryOf } from '../request-context.ts';
import { type Language, pickLanguage } from '../texts/index.ts';

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Loaded and rendered on first request: most processes never serve the page, and it would delay every start. */
const renderer = lazy(() => import('./render.ts'));

/** Serves the OpenAPI documents and the pages that show them, all made from the contract. */
export function docs(app: FastifyInstance, publicUrl: string, site: () => Site): void {
  const body = lazy(async () => {
    const { openApiDocument } = await renderer();
    return cachedBody(JSON.stringify(openApiDocument(routes, publicUrl)));
  });
  mount(app, routes.openapi, body);
  const adminBody = lazy(async () => {
    const { adminOpenApiDocument } = await renderer();
    return JSON.stringify(adminOpenApiDocument(adminRoutes, publicUrl));
  });
  mount(app, adminRoutes.openapi, async ({ reply }) =>
    reply.headers({ 'content-type': JSON_TYPE, ...responseHeaders.secret }).send(await adminBody()),
  );

  const show = pageOf({ routes, openApiPath: routes.openapi.path, operatorsPath: adminRoutes.docs.path });
  for (const url of ['/api/docs', '/api/docs/']) app.get(url, { config: { auth: 'none' } }, show);
  const showToOperators = pageOf({ routes: adminRoutes, openApiPath: adminRoutes.openapi.path });
  mount(app, adminRoutes.docs, ({ request, reply }) => showToOperators(request, reply));

  interface PageContent {
    readonly routes: Readonly<Record<string, Route>>;
    readonly openApiPath: string;
    readonly operatorsPath?: string;
  }

  function pageOf(content: PageContent) {
    const render = async (look: Site, language: Language) => {
      const { docsPage, docsPolicy } = await renderer();
      const html = docsPage({ ...content, site: look, publicUrl, language });
      const page = cachedBody(html, 'text/html; charset=utf-8');
      const compressed = {
        br: lazy(() => compress.br(page.bytes)),
        gzip: lazy(() => compress.gzip(page.bytes)),
      };
      return { look, page, compressed, policy: docsPolicy(look) };
    };
    const rendered = new Map<Language, Awaited<ReturnType<typeof render>>>();

    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const lang = new URLSearchParams(queryOf(request.raw)).get('lang');
      const language = pickLanguage(lang ?? request.headers['accept-language']);
      let current = rendered.get(language);
      if (current?.look !== site()) current = await render(site(), language);
      rendered.set(language, current);
      const { page, compressed, policy } = current;
      reply.headers({
        ...responseHeaders.cached(page.etag),
        'content-security-policy': policy,
        'content-language': language,
        vary: 'accept-encoding, accept-language',
      });
      if (isFresh(request.raw, page)) return reply.code(304).send();
      const encoding = acceptedEncoding(request.headers['accept-encoding']);
      if (encoding) reply.header('content-encoding', encoding);
      return reply
        .header('content-type', page.type)
        .send(encoding ? await compressed[encoding]() : page.bytes);
    };
  }
}
