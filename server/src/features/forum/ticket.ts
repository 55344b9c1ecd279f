import { randomBytes } from 'node:crypto';
import type { KeyedHash } from '../../security/keyed-hash.ts';

export const TICKET_LIFETIME_S = 60;

/** A ticket to exchange a login at an identity provider for a session. Its two parts reach the browser separately. */
export interface Ticket {
  /** Sent in the fragment of the login page's URL. */
  readonly ticket: string;
  /** Sent in a cookie, so that a ticket in another person's link is useless in this browser. */
  readonly browserKey: string;
}

export function newTicket(): Ticket {
  const random = () => randomBytes(32).toString('base64url');
  return { ticket: random(), browserKey: random() };
}

/** Returns the hash a ticket is stored by. */
export function hashOfTicket(hash: KeyedHash, { ticket, browserKey }: Ticket): string {
  return hash(`${ticket}.${browserKey}`);
}

/** Returns the hashes a ticket may be stored by. Both parts are needed. */
export function hashesOfTicket(hash: KeyedHash, { ticket, browserKey }: Ticket): string[] {
  return hash.all(`${ticket}.${browserKey}`);
}
