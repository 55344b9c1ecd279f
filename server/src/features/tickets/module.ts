import type { FeatureContext } from '../../feature.ts';
import { entryTicketStore } from './store.ts';
import { entryTickets, type TicketDeps } from './tickets.ts';

type TicketsContext = Pick<FeatureContext, 'settings' | 'db'> & Pick<TicketDeps, 'currentZone' | 'isRevoked'>;

export function openTickets({ settings, db, currentZone, isRevoked }: TicketsContext) {
  const store = entryTicketStore(db);
  const lifetimeS = () => settings.current.auth.ticket_ttl;
  return {
    tickets: entryTickets({ tickets: store, lifetimeS, currentZone, isRevoked }),
    sweeps: [{ name: 'old entry tickets', deleteOldest: store.deleteExpired }],
  };
}
