import type { App } from './pages.ts';

const front = new Set(['/', '/login', '/agree', '/withdraw', '/playground/mail']);

/**
 * Sessions and the forum's cookie belong to one origin. Who opens a page by number instead of by name
 * is sent to the name before either is made.
 */
export function keepOneOrigin(app: App, { url, port }: { url: string; port: number }): void {
  if (new URL(url).hostname !== 'localhost') return;
  const byNumber = new Set([`127.0.0.1:${port}`, `[::1]:${port}`]);
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?')[0] ?? '';
    if (request.method === 'GET' && front.has(path) && byNumber.has(request.headers.host ?? ''))
      void reply.redirect(url + request.url, 302);
    else done();
  });
}
