import { createHash, randomBytes } from 'node:crypto';
import type { EntryTicketStore, NewTicket } from './store.ts';

export interface TicketParts {
  readonly tickets: EntryTicketStore;
  readonly lifetimeS: () => number;
  /** The zone that a zone was merged into; itself where it was not. */
  readonly currentZone: (serverId: number) => number;
  /** Whether the session was ended by logging out. */
  readonly isRevoked: (sessionId: string) => boolean;
}

/** For whom a ticket is, and where. */
export interface Admission {
  readonly playerId: number;
  readonly serverId: number;
  readonly tokenVersion: number;
}

/** How long whoever used a ticket may ask again: the answer may have been lost. */
const REPEAT_MS = 10_000;

/** 32 random bytes. */
export const looksLikeTicket = (token: string) => /^[\w-]{43}$/.test(token);

/** Nobody guesses random bytes, so they need no slow hash. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** One-time tickets that game clients present to their game server. */
export function entryTickets({ tickets, lifetimeS, currentZone, isRevoked }: TicketParts) {
  return {
    async issue(admission: Admission & Pick<NewTicket, 'sessionId'>): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      await tickets.add({ ...admission, hash: hashOf(token), lifetimeMs: lifetimeS() * 1000 });
      return token;
    },

    /** For whom a ticket was issued, and for which zone of today; it may be used up. None once the player has logged out. */
    async find(token: string): Promise<Admission | undefined> {
      const ticket = await tickets.find(hashOf(token));
      if (!ticket || (ticket.sessionId !== null && isRevoked(ticket.sessionId))) return undefined;
      return { ...ticket, serverId: currentZone(ticket.serverId) };
    },

    /** Uses a ticket up: true for one address, which may ask again for a while. */
    async use(token: string, address: string): Promise<boolean> {
      const hash = hashOf(token);
      if (await tickets.use(hash, address)) return true;
      const used = await tickets.find(hash);
      return used?.usedBy === address && (used.usedAgoMs ?? Number.POSITIVE_INFINITY) <= REPEAT_MS;
    },

    isOfZone: ({ serverId }: Admission, named: number | undefined) =>
      named === undefined || currentZone(named) === serverId,
  };
}

export type EntryTickets = ReturnType<typeof entryTickets>;
