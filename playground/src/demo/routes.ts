import { fileURLToPath } from 'node:url';
import { Refusal } from '@gatehouse/server/refusal';
import { mailboxPages, openMailbox } from '@gatehouse/simulators/mailbox';
import { BadRequest, type Fields, textField, wholeField } from '@gatehouse/simulators/zone/fields';
import type { GameServer } from './game-server.ts';
import { type App, servePages } from './pages.ts';

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Mounts everything under /playground. None of it exists in `gatehouse serve`. */
export function playgroundRoutes(app: App, parts: { game: GameServer; outbox: string }): void {
  const { game } = parts;
  const mailbox = openMailbox(parts.outbox);

  for (const path of ['/playground', '/playground/'])
    app.get(path, (_request, reply) => reply.redirect('/playground/mail', 302));
  servePages(app, { folder: folderOf('./pages'), prefix: '/playground', frameAncestors: "'none'" });
  servePages(app, {
    folder: mailboxPages,
    prefix: '/playground/mail',
    frameAncestors: "'none'",
  });
  servePages(app, {
    folder: folderOf('../client/pages'),
    prefix: '/playground/client/',
    frameAncestors: "'self'",
  });

  app.get('/playground/mail/messages.json', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { now: Date.now(), messages: await mailbox.newest() };
  });

  app.post('/playground/game/enter', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return game.enter(
      fields(request.body, (given) => ({
        account: textField(given, 'account', 64),
        token: textField(given, 'token', 2048),
        serverId: wholeField(given, 'server_id', { min: 1, max: 2_147_483_647 }),
      })),
    );
  });

  app.post('/playground/game/earn', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return game.earn(
      fields(request.body, (given) => ({
        session: textField(given, 'session', 64),
        total: wholeField(given, 'total', { min: 0, max: 1_000_000_000 }),
      })),
    );
  });
}

function fields<T>(body: unknown, read: (given: Fields) => T): T {
  try {
    return read(typeof body === 'object' && body !== null ? (body as Fields) : {});
  } catch (error) {
    throw error instanceof BadRequest ? new Refusal('invalid_request') : error;
  }
}
