import type { Session } from './contract/player.ts';
import type { GatehouseError } from './error.ts';

/** Who is signed in; the token is all that calls need. */
export type SignedIn = Pick<Session, 'token'> & Partial<Session>;

/** Where a client keeps its session. */
export interface SessionStore {
  get(): SignedIn | null;
  /** `reason` is why the service ended the session; undefined after a logout. */
  set(session: Session | null, reason?: GatehouseError): void;
}

/** Keeps the session in memory. */
export function memorySession(): SessionStore {
  let current: SignedIn | null = null;
  return {
    get: () => current,
    set: (session) => {
      current = session;
    },
  };
}

/** Keeps the session in `sessionStorage` or `localStorage`, until it expires. */
export function storedSession(
  storage: { getItem(key: string): string | null; setItem(key: string, value: string): void },
  key = 'gatehouse.session',
): SessionStore {
  return {
    get() {
      const session: Session | null = JSON.parse(storage.getItem(key) || 'null');
      return session && Date.parse(session.expires_at) > Date.now() ? session : null;
    },
    set: (session) => storage.setItem(key, session ? JSON.stringify(session) : ''),
  };
}
