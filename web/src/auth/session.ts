import type { Session } from '@gatehouse/contract/player';
import { computed, ref, shallowRef } from 'vue';
import type { Failure } from '../api/failure.ts';
import { localValue, sessionValue } from '../ui/browser-storage.ts';

const storedToken = sessionValue('CQ-TOKEN');
const storedZone = sessionValue('gatehouse.zone');
/** The account that was made in this browser and has not entered a zone yet. */
const storedNewcomer = localValue('gatehouse.newcomer');

const token = shallowRef(storedToken.get());
const lastZone = ref(Number(storedZone.get()) || null);
const newcomer = ref(storedNewcomer.get());
const endedBy = shallowRef<Failure | null>(null);

/** The signed-in player of this tab. Only this file knows where the token is stored. */
export const session = {
  token: computed(() => token.value),
  signedIn: computed(() => token.value !== null),
  account: computed(() => accountIn(token.value)),
  /** Where the player was last, or wants to begin. */
  lastZone: computed(() => lastZone.value),
  /** Has an account, and has not been in the game. */
  isNew: computed(() => newcomer.value !== null && newcomer.value === accountIn(token.value)),
  /** Why the last session ended, for the login page to say; null after a sign-out. */
  endedBy: computed(() => endedBy.value),

  start({ token: given, server_id, account }: Session, { isNew = false } = {}) {
    if (isNew) setNewcomer(account);
    session.join(given, server_id);
  },

  /** Goes on with the session of another tab. */
  join(given: string, zone: number | null) {
    endedBy.value = null;
    // The token last: who waits for it finds the rest.
    setLastZone(zone);
    storedToken.set(given);
    token.value = given;
  },

  /** The player is in the game. */
  entered(serverId: number) {
    if (session.isNew.value) setNewcomer(null);
    setLastZone(serverId);
  },

  end(reason: Failure | null = null) {
    endedBy.value = reason;
    storedToken.remove();
    setLastZone(null);
    token.value = null;
  },
};

function setLastZone(zone: number | null) {
  lastZone.value = zone;
  if (zone === null) storedZone.remove();
  else storedZone.set(String(zone));
}

function setNewcomer(account: string | null) {
  newcomer.value = account;
  if (account === null) storedNewcomer.remove();
  else storedNewcomer.set(account);
}

/** The account name, for show only: the service alone judges the token. */
function accountIn(jwt: string | null): string {
  try {
    const payload = jwt?.split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isClaims(claims) ? claims.account : '';
  } catch {
    return '';
  }
}

function isClaims(claims: unknown): claims is { account: string } {
  return (
    typeof claims === 'object' && claims !== null && 'account' in claims && typeof claims.account === 'string'
  );
}
