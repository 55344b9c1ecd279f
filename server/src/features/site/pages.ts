import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

export const BUILT_PAGES = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

const PAGES = ['/', '/login', '/agree', '/withdraw', '/play'];
const ASSET_LIFETIME = '365d';

interface PagesParts {
  readonly folder: string;
  /** Origin of the game client, which the pages may frame. */
  readonly clientOrigin: string;
}

/** The front end: its pages, and its assets, which carry their hash in their names and so never change. */
export async function pages(app: FastifyInstance, { folder, clientOrigin }: PagesParts): Promise<void> {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return;
  const html = readFileSync(index);
  const policy = pagePolicy(clientOrigin);
  for (const page of PAGES) {
    app.get(page, (_request, reply) =>
      reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-cache')
        .send(html),
    );
  }
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    immutable: true,
    maxAge: ASSET_LIFETIME,
  });
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
