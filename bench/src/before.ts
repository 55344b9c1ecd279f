import { databaseServer, openEnvironment } from './environment.ts';
import type { Options } from './options.ts';
import type { Outcome, SaveResults } from './report.ts';
import { requestsFor } from './requests.ts';
import { measureVariants } from './variants.ts';

/** A lower ratio is a real regression, not noise. */
const LEAST = 0.97;

const ROUTES = [
  { route: 'list', requests: 'list', body: /"servers":\[/ },
  { route: 'config', requests: 'config', body: /"withdraw"/ },
  { route: 'login', requests: 'login', body: /"token"/ },
  { route: 'check-legacy', requests: 'checkLegacy', body: /"valid":true/ },
  { route: 'check-jwt', requests: 'checkJwt', body: /"valid":true/ },
  { route: 'enter_game', requests: 'enterGame', body: /"server"/ },
  { route: 'chat', requests: 'chat', body: /"accepted":1/ },
] as const;

/** Compares the hot routes of another checkout's service with this one's, each on a database it created. */
export async function measureBefore(checkout: string, options: Options, save: SaveResults): Promise<Outcome> {
  const { players } = options;
  const server = databaseServer(players);
  const requests = requestsFor(players);
  try {
    return await measureVariants(
      [
        { label: 'before', environment: openEnvironment(players, server, checkout), requests },
        { label: 'now', environment: openEnvironment(players, server), requests },
      ],
      { routes: ROUTES, atLeast: LEAST },
      options,
      save,
    );
  } finally {
    await server.stop();
  }
}
