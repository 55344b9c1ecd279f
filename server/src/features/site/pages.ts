import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '../../http/cached-body.ts';
import { acceptedEncoding } from '../../http/encoding.ts';
import { responseHeaders } from '../../http/headers.ts';
import { type Language, pickLanguage } from '../../http/texts/index.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { findTexts, type PageDocument, pageDocument } from './page-document.ts';
import { configOf } from './public-config.ts';

export const BUILT_PAGES = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

const PATHS = ['/', '/index.html', '/login', '/agree', '/withdraw', '/account', '/account/:page', '/play'];
const ASSET_LIFETIME = '365d';

export interface Pages {
  mount(app: FastifyInstance): Promise<void>;
  /** Answers a browser's navigation to an unknown path with the front end's 404 page; undefined for other requests. */
  notFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
}

interface PagesParts {
  readonly folder: string;
  readonly settings: LiveSettings;
  /** Origin of the game client, which the pages may frame. */
  readonly clientOrigin: string;
}

/** The front end: its pages, and its assets, which carry their hash in their names and so never change. */
export function openPages({ folder, settings, clientOrigin }: PagesParts): Pages {
  const documents = openDocuments(folder, settings);
  const policy = pagePolicy(clientOrigin);

  function show(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
    const { headers } = request;
    const page = documents(pickLanguage(headers['accept-language']));
    reply.code(status).headers({
      ...responseHeaders.cached(page.etag),
      'content-security-policy': policy,
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
      // Where password managers send whoever wants another password.
      app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/account', 302));
      if (!isBuilt(folder)) return;
      for (const path of PATHS) app.get(path, (request, reply) => show(request, reply, 200));
      await app.register(fastifyStatic, {
        root: folder,
        wildcard: false,
        index: false,
        globIgnore: ['index.html', '**/*.br', '**/*.gz'],
        preCompressed: true,
        immutable: true,
        maxAge: ASSET_LIFETIME,
      });
    },
    notFoundPage(request, reply) {
      const { method, url, headers } = request;
      const isNavigation =
        method === 'GET' && headers.accept?.includes('text/html') && !url.startsWith('/api');
      return isNavigation && isBuilt(folder) ? show(request, reply, 404) : undefined;
    },
  };
}

const isBuilt = (folder: string) => existsSync(join(folder, 'index.html'));

/** The document in each language, rendered again when the settings change. */
function openDocuments(folder: string, settings: LiveSettings): (language: Language) => PageDocument {
  let rendered: Partial<Record<Language, PageDocument>> = {};
  let source: { html: string; texts: ReturnType<typeof findTexts> } | undefined;
  settings.onChange(() => {
    rendered = {};
  });
  return (language) => {
    source ??= { html: readFileSync(join(folder, 'index.html'), 'utf8'), texts: findTexts(folder) };
    const { html, texts } = source;
    const { current } = settings;
    rendered[language] ??= pageDocument({
      html,
      language,
      settings: current,
      config: configOf(current),
      texts: texts[language],
    });
    return rendered[language];
  };
}

function pagePolicy(clientOrigin: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src 'self' ${clientOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
