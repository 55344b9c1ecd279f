import type { Feature, FeatureContext } from '../../feature.ts';
import { entryTicketStore } from './store.ts';
import { type EntryTickets, entryTickets, type TicketParts } from './tickets.ts';

export interface TicketsFeature extends Feature {
  readonly tickets: EntryTickets;
}

type TicketsContext = Pick<FeatureContext, 'settings' | 'db'> &
  Pick<TicketParts, 'currentZone' | 'isRevoked'>;

export function openTickets({ settings, db, currentZone, isRevoked }: TicketsContext): TicketsFeature {
  const store = entryTicketStore(db);
  const lifetimeS = () => settings.current.auth.ticket_ttl;
  return {
    tickets: entryTickets({ tickets: store, lifetimeS, currentZone, isRevoked }),
    sweeps: [{ name: 'old entry tickets', deleteOldest: store.deleteExpired }],
  };
}
