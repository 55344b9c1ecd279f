import { databaseServer, openEnvironment } from './environment.ts';
import type { Options } from './options.ts';
import type { Outcome, SaveResults } from './report.ts';
import { requestsFor } from './requests.ts';
import { measureVariants } from './variants.ts';

const FEW = 10_000;
const MANY = 5_000_000;
/** At most 1.05 times the cost. */
const LEAST = 0.95;

const ROUTES = [
  { route: 'login', requests: 'login', body: /"token"/ },
  { route: 'check-legacy', requests: 'checkLegacy', body: /"valid":true/ },
] as const;

/** Compares the same service with few and with many players. */
export async function measureGrowth(options: Options, save: SaveResults): Promise<Outcome> {
  const many = options.quick ? options.players : MANY;
  const server = databaseServer(many);
  const variant = (players: number) => ({
    label: `${players.toLocaleString('en')} players`,
    environment: openEnvironment(players, server),
    requests: requestsFor(players),
  });
  try {
    return await measureVariants(
      [variant(FEW), variant(many)],
      { routes: ROUTES, atLeast: LEAST },
      options,
      save,
    );
  } finally {
    await server.stop();
  }
}
