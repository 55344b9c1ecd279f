import type { Feature, FeatureContext } from '../../feature.ts';
import { periodicJob } from '../../runtime/periodic-job.ts';
import { entryTicketStore } from './store.ts';
import { type EntryTickets, entryTickets, type TicketParts } from './tickets.ts';

const SWEEP_MS = 60_000;

export interface TicketsFeature extends Feature {
  readonly tickets: EntryTickets;
}

type TicketsContext = Pick<FeatureContext, 'settings' | 'db' | 'log'> &
  Pick<TicketParts, 'currentZone' | 'isRevoked'>;

export function openTickets({ settings, db, log, currentZone, isRevoked }: TicketsContext): TicketsFeature {
  const store = entryTicketStore(db);
  const sweeper = periodicJob(SWEEP_MS, store.sweep, (error) =>
    log.warn({ err: error }, 'old entry tickets could not be deleted'),
  );
  const lifetimeS = () => settings.current.auth.ticket_ttl;
  return {
    tickets: entryTickets({ tickets: store, lifetimeS, currentZone, isRevoked }),
    close: sweeper.close,
  };
}
