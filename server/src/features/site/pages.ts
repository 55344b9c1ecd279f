import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { ListedNews } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '../../http/cached-body.ts';
import { acceptedEncoding } from '../../http/encoding.ts';
import { responseHeaders } from '../../http/headers.ts';
import { type Language, pickLanguage } from '../../http/texts/index.ts';
import { generationalCache } from '../../runtime/generational-cache.ts';
import type { LiveSettings } from '../../settings/live.ts';
import {
  type BuiltPages,
  NEWS,
  type PageDocument,
  type PageNews,
  pageDocument,
  readBuiltPages,
} from './page-document.ts';
import { configOf, type SiteValues } from './site-values.ts';

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
  [NEWS]: NEWS,
};
const ARTICLE = `${NEWS}/:id`;
/** Documents of articles that are kept; at most twice as many. */
const CACHED_ARTICLES = 50;
const NOT_FOUND = '*';
const ASSET_LIFETIME = '365d';

interface PagesDeps {
  readonly folder: string;
  readonly settings: LiveSettings;
  readonly values: SiteValues;
  readonly news: PageNews;
  /** Origin of the game client, which the pages may frame. */
  readonly clientOrigin: string;
}

/** Serves the front end: its pages, and its assets, whose names contain a hash and so never change. */
export function openPages(deps: PagesDeps) {
  const { folder, settings, news, clientOrigin } = deps;
  const documents = openDocuments(deps);

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    article?: ListedNews,
  ): FastifyReply {
    const { headers } = request;
    const page = documents.of(path, pickLanguage(headers['accept-language']), article);
    const status = path === NOT_FOUND ? 404 : 200;
    reply.code(status).headers({
      ...responseHeaders.cached(page.etag),
      'content-security-policy': pagePolicy({
        clientOrigin,
        styleHashes: [documents.styleHash(), ...page.styleHashes],
        foreignImages: settings.current.site.images,
      }),
      'referrer-policy': 'no-referrer',
      vary: 'accept-language, accept-encoding',
    });
    if (status === 200 && isFresh(request.raw, page)) return reply.code(304).send();
    const encoding = acceptedEncoding(headers['accept-encoding']);
    if (encoding) reply.header('content-encoding', encoding);
    return reply.header('content-type', page.type).send(encoding ? page.compressed[encoding] : page.bytes);
  }

  return {
    async mount(app: FastifyInstance) {
      // Password managers use this path to change a password.
      app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/account', 302));
      if (!isBuilt(folder)) return;
      for (const [path, page] of Object.entries(PATHS))
        app.get(path, (request, reply) => show(request, reply, page));
      app.get<{ Params: { id: string } }>(ARTICLE, (request, reply) => {
        const { id } = request.params;
        const article = /^\d{1,15}$/.test(id) ? news.find(Number(id)) : undefined;
        return article ? show(request, reply, ARTICLE, article) : show(request, reply, NOT_FOUND);
      });
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
    /** Answers a browser's navigation to an unknown path with the front end's 404 page. Returns undefined for other requests. */
    notFoundPage(request: FastifyRequest, reply: FastifyReply) {
      const { method, url, headers } = request;
      const isNavigation =
        method === 'GET' && headers.accept?.includes('text/html') && !url.startsWith('/api');
      return isNavigation && isBuilt(folder) ? show(request, reply, NOT_FOUND) : undefined;
    },
  };
}

export type Pages = ReturnType<typeof openPages>;

const isBuilt = (folder: string) => existsSync(join(folder, 'index.html'));

/** Caches the documents of the pages by language; rendered again when the settings, the site or the news change. */
function openDocuments({ folder, settings, values, news }: PagesDeps) {
  let rendered = new Map<string, PageDocument>();
  let articles = generationalCache<string, PageDocument>(CACHED_ARTICLES);
  let built: BuiltPages | undefined;
  const clear = () => {
    rendered = new Map();
    articles = generationalCache(CACHED_ARTICLES);
  };
  values.onChange(clear);
  news.onChange(clear);
  const read = () => {
    built ??= readBuiltPages(folder);
    return built;
  };
  return {
    styleHash: () => read().styleHash,
    of(path: string, language: Language, article?: ListedNews): PageDocument {
      const { html, files } = read();
      const cache = article ? articles : rendered;
      const key = `${language} ${path} ${article?.id}`;
      const known = cache.get(key);
      if (known) return known;
      const { current } = settings;
      const document = pageDocument({
        html,
        path,
        language,
        settings: current,
        config: configOf(current, values.current),
        files: files(path, language),
        logo: values.overrides.pictures.get('logo'),
        news: news.of(language),
        article,
      });
      cache.set(key, document);
      return document;
    },
  };
}

interface PolicyOptions {
  readonly clientOrigin: string;
  readonly styleHashes: readonly string[];
  /** Whether news may show pictures of other sites. */
  readonly foreignImages: boolean;
}

function pagePolicy({ clientOrigin, styleHashes, foreignImages }: PolicyOptions): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styleHashes.join(' ')}`,
    `img-src 'self' data:${foreignImages ? ' https:' : ''}`,
    "connect-src 'self'",
    `frame-src 'self' ${clientOrigin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
