import { createHash, randomBytes } from 'node:crypto';
import type { EntryTicketStore, NewTicket } from './store.ts';

export interface TicketDeps {
  readonly tickets: EntryTicketStore;
  readonly lifetimeS: () => number;
  /** Returns the zone that a zone was merged into, or itself. */
  readonly currentZone: (serverId: number) => number;
  /** Reports whether the session was logged out. */
  readonly isRevoked: (sessionId: string) => boolean;
}

/** The player and zone of a ticket. */
export interface Admission {
  readonly playerId: number;
  readonly serverId: number;
  readonly tokenVersion: number;
}

/** How long the user of a ticket may retry, because the answer may have been lost. */
const REPEAT_MS = 10_000;

/** Reports whether a token has the form of a ticket: 32 random bytes in base64url. */
export const looksLikeTicket = (token: string) => token.length === 43 && /^[\w-]+$/.test(token);

/** Tickets are random bytes that cannot be guessed, so they need no slow hash. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** One-time tickets that game clients present to their game server. */
export function entryTickets({ tickets, lifetimeS, currentZone, isRevoked }: TicketDeps) {
  return {
    async issue(admission: Admission & Pick<NewTicket, 'sessionId'>): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      await tickets.add({ ...admission, hash: hashOf(token), lifetimeMs: lifetimeS() * 1000 });
      return token;
    },

    /** Returns the player of a ticket and its current zone, even if it is used up. Undefined after the player has logged out. */
    async find(token: string): Promise<Admission | undefined> {
      const ticket = await tickets.find(hashOf(token));
      if (!ticket || (ticket.sessionId !== null && isRevoked(ticket.sessionId))) return undefined;
      return { ...ticket, serverId: currentZone(ticket.serverId) };
    },

    /** Uses up a ticket. Returns true for one address, which may retry for a while. */
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
