import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const BUILT_PAGES = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

const PATHS = ['/', '/index.html', '/login', '/agree', '/withdraw', '/account', '/play'];
const ASSET_LIFETIME = '365d';

export interface Pages {
  mount(app: FastifyInstance): Promise<void>;
  /** Answers a browser's navigation to an unknown path with the front end's 404 page; undefined for other requests. */
  notFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
}

interface PagesParts {
  readonly folder: string;
  /** Origin of the game client, which the pages may frame. */
  readonly clientOrigin: string;
}

/** The front end: its pages, and its assets, which carry their hash in their names and so never change. */
export function openPages({ folder, clientOrigin }: PagesParts): Pages {
  const index = join(folder, 'index.html');
  const html = existsSync(index) ? readFileSync(index) : undefined;
  const policy = pagePolicy(clientOrigin);
  const show = (reply: FastifyReply, status: number) =>
    reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(html);

  return {
    async mount(app) {
      // Where password managers send whoever wants another password.
      app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/account', 302));
      if (html === undefined) return;
      for (const path of PATHS) app.get(path, (_request, reply) => show(reply, 200));
      await app.register(fastifyStatic, {
        root: folder,
        wildcard: false,
        index: false,
        globIgnore: ['index.html'],
        immutable: true,
        maxAge: ASSET_LIFETIME,
      });
    },
    notFoundPage({ method, url, headers }, reply) {
      const isNavigation =
        method === 'GET' && headers.accept?.includes('text/html') && !url.startsWith('/api');
      return isNavigation && html !== undefined ? show(reply, 404) : undefined;
    },
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
