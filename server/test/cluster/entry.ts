import { deploy } from './deployment.ts';
import type { Parts } from './parts.ts';
import { raceForTickets, type TicketViolations } from './ticket-race.ts';
import { type Opening, watchOpening } from './zone-opening.ts';

export interface EntryResult extends Omit<Opening, 'violations'> {
  readonly violations: TicketViolations & Opening['violations'];
  readonly tickets: number;
  /** Clock offset of each instance in ms, as its answers show. */
  readonly clocks: readonly number[];
}

/** How long after its opening time a zone may still be closed on an instance. */
export const LATEST_OPENING_MS = 2000;

/** Checks that the database decides what players may do, not the instance: each has its own node and a wrong clock. */
export async function runEntry({ parts, tickets }: { parts: Parts; tickets: number }): Promise<EntryResult> {
  await using open = new AsyncDisposableStack();
  const deployment = await deploy({ parts, variant: 'gatehouse', roles: 6, apart: true });
  open.defer(deployment.close);
  const clocks = await Promise.all(deployment.services.map(({ url }) => clockOffset(url)));
  const race = await raceForTickets(deployment, tickets);
  const opening = await watchOpening(deployment);
  return { ...opening, tickets, clocks, violations: { ...race, ...opening.violations } };
}

async function clockOffset(url: string): Promise<number> {
  const { headers } = await fetch(`${url}/api/server/list`);
  return Date.parse(headers.get('date') ?? '') - Date.now();
}
