import { clientFrom } from '../support/client.ts';
import type { Deployment } from './deployment.ts';

/** All must be 0. */
export interface TicketViolations {
  readonly 'tickets not for one address': number;
  readonly 'second answers refused to whom a ticket was for': number;
  readonly 'answers to tickets that are neither yes nor no': number;
}

const PARALLEL = 50;
const ADDRESSES = 25;
/** How long the accepted address may ask again. On a machine slower than this, nothing is guaranteed. */
const REPEATED_WITHIN_MS = 10_000;

/** Presents each ticket fifty times at once, twice from each of twenty-five addresses, on all instances. */
export async function raceForTickets(
  { services, players }: Deployment,
  tickets: number,
): Promise<TicketViolations> {
  const urlOf = (index: number) => services[index % services.length]?.url ?? '';
  const violations = { shared: 0, refused: 0, unclear: 0 };
  for (let round = 0; round < tickets; round++) {
    const { account, token, zone } = players[round % players.length] ?? fail();
    const { serverId: server_id } = zone;
    const entered = await clientFrom(urlOf(round), '203.0.113.1').post(
      '/api/enter_game',
      { server_id },
      { token },
    );
    const claim = { account, token: entered.body.token, server_id };
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, async (_, index) => {
        const address = `203.0.113.${1 + (index % ADDRESSES)}`;
        const { status, body } = await clientFrom(urlOf(index), address).post('/api/check', claim);
        return { address, status, isYes: status === 200 && body.format === 'ticket' };
      }),
    );
    const winners = answers.filter(({ isYes }) => isYes).map(({ address }) => address);
    if (new Set(winners).size !== 1) violations.shared += 1;
    else if (winners.length !== PARALLEL / ADDRESSES && performance.now() - began < REPEATED_WITHIN_MS)
      violations.refused += 1;
    violations.unclear += answers.filter(({ isYes, status }) => !isYes && status !== 401).length;
  }
  return {
    'tickets not for one address': violations.shared,
    'second answers refused to whom a ticket was for': violations.refused,
    'answers to tickets that are neither yes nor no': violations.unclear,
  };
}

function fail(): never {
  throw new Error('nobody is there to enter');
}
