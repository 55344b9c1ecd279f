import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_PAGES } from '@gatehouse/server/features/site/pages';
import { startService } from '@gatehouse/server/main';
import { loadSettings } from '@gatehouse/server/settings/load';
import { banner } from './banner.ts';
import { openFolder } from './demo/folder.ts';
import { createGameServer } from './demo/game-server.ts';
import { withoutOidcWarnings } from './demo/oidc-warnings.ts';
import { redirectToOneOrigin } from './demo/one-origin.ts';
import { askPlatform } from './demo/platform.ts';
import { playgroundRoutes } from './demo/routes.ts';
import { seedPlatform } from './demo/seed.ts';
import { startZones } from './demo/zones.ts';
import { type Arguments, readArguments, usage } from './settings/arguments.ts';
import { keptSecrets } from './settings/secrets.ts';
import { outboxFolder, writeSettings } from './settings/settings.ts';

/** Opens everything in order. Returns a function that closes it in reverse order. */
async function startPlayground(options: Arguments) {
  const { folder, port, url } = options;
  await using opening = new AsyncDisposableStack();
  const held = openFolder(folder);
  opening.defer(() => held.release());
  const secrets = keptSecrets(folder);
  const zones = await startZones({ folder, gmKey: secrets.gmKey });
  opening.defer(zones.stop);
  const forum = await withoutOidcWarnings(async () => {
    const { startForum } = await import('@gatehouse/simulators/forum');
    return onPortOrFree(port + 1, (forumPort) =>
      startForum({ publicUrl: url, port: forumPort, clientSecret: secrets.forumSecret }),
    );
  });
  opening.defer(forum.stop);

  const file = writeSettings({ options, secrets, forum: forum.settings });
  const settings = loadSettings(file, {});
  const operators = await seedPlatform({ settings, zones });
  const game = createGameServer({ findZone: zones.findPlayable, checkToken: askPlatform(port) });
  const service = await startService({
    settings,
    settingsFile: file,
    async extend(http, { log }) {
      log.warn(
        { playground: true },
        'PLAYGROUND: demo accounts, a mailbox anybody can read; not for production',
      );
      redirectToOneOrigin(http, options);
      playgroundRoutes(http, { game, outbox: outboxFolder(folder) });
    },
  });
  opening.defer(service.stop);
  const running = opening.move();
  return { zones, operators, stop: () => running.disposeAsync() };
}

/** Uses this port if it is free, so that forwarded ports stay the same; otherwise any other. */
async function onPortOrFree<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    if (port <= 65_535 && (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  }
}

/** Resolves at the first stop signal; further ones are ignored. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  return promise;
}

function readableError(error: unknown, { port, folder }: Arguments): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `port ${port} is in use; stop what uses it, or choose another: npm start -- --port ${port + 100}`;
  if (code === 'EACCES') return `no right to use port ${port} or to write ${folder}`;
  return message.includes('is in use') ? message : `${message}\nto start afresh, delete ${folder}`;
}

async function run(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  if (options.help) return console.log(usage);
  const stop = stopSignal();
  try {
    const playground = await startPlayground(options);
    const pagesBuilt = existsSync(join(BUILT_PAGES, 'index.html'));
    console.log(banner({ options, ...playground, pagesBuilt }));
    await stop;
    console.log('playground: stopping');
    await playground.stop();
  } catch (error) {
    throw new Error(readableError(error, options), { cause: error });
  }
}

run().then(
  () => process.exit(0),
  (error: Error) => {
    for (const line of error.message.split('\n')) console.error(`playground: ${line}`);
    process.exit(1);
  },
);
