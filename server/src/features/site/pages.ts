import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '../../http/cached-body.ts';
import { acceptedEncoding } from '../../http/encoding.ts';
import { responseHeaders } from '../../http/headers.ts';
import { type Language, pickLanguage } from '../../http/texts/index.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { type PageDocument, pageDocument } from './page-document.ts';
import { type BuiltPages, readBuiltPages } from './page-files.ts';
import { configOf } from './public-config.ts';

export const BUILT_PAGES = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** Maps each path to the page it shows. */
const PATHS = {
  '/': '/',
  '/index.html': '/',
  '/play': '/',
  '/login': '/login',
  '/agree': '/agree',
  '/withdraw': '/withdraw',
  '/account': '/account',
  '/account/:page': '/account',
};
const NOT_FOUND = '*';
const ASSET_LIFETIME = '365d';

export interface Pages {
  mount(app: FastifyInstance): Promise<void>;
  /** Answers a browser's navigation to an unknown path with the front end's 404 page. Returns undefined for other requests. */
  notFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
}

interface PagesParts {
  readonly folder: string;
  readonly settings: LiveSettings;
  /** Origin of the game client, which the pages may frame. */
  readonly clientOrigin: string;
}

/** Serves the front end: its pages, and its assets, whose names contain a hash and so never change. */
export function openPages({ folder, settings, clientOrigin }: PagesParts): Pages {
  const documents = openDocuments(folder, settings);

  function show(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
    const { headers } = request;
    const page = documents.of(path, pickLanguage(headers['accept-language']));
    const status = path === NOT_FOUND ? 404 : 200;
    reply.code(status).headers({
      ...responseHeaders.cached(page.etag),
      'content-security-policy': pagePolicy(clientOrigin, documents.styleHash()),
      'referrer-policy': 'no-referrer',
      vary: 'accept-language, accept-encoding',
    });
    if (status === 200 && isFresh(request.raw, page)) return reply.code(304).send();
    const encoding = acceptedEncoding(headers['accept-encoding']);
    if (encoding) reply.header('content-encoding', encoding);
    return reply.header('content-type', page.type).send(encoding ? page.compressed[encoding] : page.bytes);
  }

  return {
    async mount(app) {
      // Password managers use this path to change a password.
      app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/account', 302));
      if (!isBuilt(folder)) return;
      for (const [path, page] of Object.entries(PATHS))
        app.get(path, (request, reply) => show(request, reply, page));
      await app.register(fastifyStatic, {
        root: folder,
        wildcard: false,
        index: false,
        globIgnore: ['index.html', 'pages.json', '**/*.br', '**/*.gz'],
        preCompressed: true,
        immutable: true,
        maxAge: ASSET_LIFETIME,
      });
    },
    notFoundPage(request, reply) {
      const { method, url, headers } = request;
      const isNavigation =
        method === 'GET' && headers.accept?.includes('text/html') && !url.startsWith('/api');
      return isNavigation && isBuilt(folder) ? show(request, reply, NOT_FOUND) : undefined;
    },
  };
}

const isBuilt = (folder: string) => existsSync(join(folder, 'index.html'));

/** Caches the documents of the pages by language; rendered again when the settings change. */
function openDocuments(folder: string, settings: LiveSettings) {
  const rendered = new Map<string, PageDocument>();
  let built: BuiltPages | undefined;
  settings.onChange(() => rendered.clear());
  const read = () => {
    built ??= readBuiltPages(folder);
    return built;
  };
  return {
    styleHash: () => read().styleHash,
    of(path: string, language: Language): PageDocument {
      const { html, files } = read();
      const key = `${language} ${path}`;
      const known = rendered.get(key);
      if (known) return known;
      const { current } = settings;
      const document = pageDocument({
        html,
        language,
        settings: current,
        config: configOf(current),
        files: files(path, language),
      });
      rendered.set(key, document);
      return document;
    },
  };
}

function pagePolicy(clientOrigin: string, styleHash: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styleHash}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src 'self' ${clientOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
