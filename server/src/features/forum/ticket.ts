import { randomBytes } from 'node:crypto';
import type { KeyedHash } from '../../security/keyed-hash.ts';

export const TICKET_LIFETIME_S = 60;

/** What exchanges a login at an identity provider for a session, in two parts that travel apart. */
export interface Ticket {
  /** Stands in the fragment of the login page's address. */
  readonly ticket: string;
  /** Stands in a cookie: a ticket that somebody else sends by a link is worth nothing in another browser. */
  readonly browserKey: string;
}

export function newTicket(): Ticket {
  const random = () => randomBytes(32).toString('base64url');
  return { ticket: random(), browserKey: random() };
}

/** By which it is stored. */
export function hashOfTicket(hash: KeyedHash, { ticket, browserKey }: Ticket): string {
  return hash(`${ticket}.${browserKey}`);
}

/** By which it may be stored; of a ticket without its other part, or with that of another, there is none. */
export function hashesOfTicket(hash: KeyedHash, { ticket, browserKey }: Ticket): string[] {
  return hash.all(`${ticket}.${browserKey}`);
}
