import type { App } from './pages.ts';

const pages = new Set(['/', '/login', '/agree', '/withdraw', '/playground/mail']);

/** Redirects browsers from an IP address to the host name, because sessions and the forum's cookie belong to one origin. */
export function redirectToOneOrigin(app: App, { url, port }: { url: string; port: number }): void {
  if (new URL(url).hostname !== 'localhost') return;
  const ipHosts = new Set([`127.0.0.1:${port}`, `[::1]:${port}`]);
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?')[0] ?? '';
    if (request.method === 'GET' && pages.has(path) && ipHosts.has(request.headers.host ?? ''))
      void reply.redirect(url + request.url, 302);
    else done();
  });
}
