import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ServiceOptions } from '@gatehouse/server/main';

/** The Fastify instance that the service passes to `extend`. */
export type App = Parameters<NonNullable<ServiceOptions['extend']>>[0];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Pages {
  readonly folder: string;
  /** URL prefix of the folder's files; `index.html` is served at the prefix itself. */
  readonly prefix: string;
  /** Origins that may frame the page. */
  readonly frameAncestors: "'self'" | "'none'";
}

/** Serves a few small files, read once. Scripts and styles load from here only: no inline code, no other origin. */
export function servePages(app: App, { folder, prefix, frameAncestors }: Pages): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

  for (const name of readdirSync(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const content = readFileSync(join(folder, name));
    const path = name === 'index.html' ? prefix : `${prefix.replace(/\/$/, '')}/${name}`;
    app.get(path, (_request, reply) =>
      reply
        .headers({
          'content-type': type,
          'content-security-policy': policy,
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        })
        .send(content),
    );
  }
}
