import type { Session } from '@gatehouse/contract/player';
import { computed, ref, shallowRef } from 'vue';
import type { Failure } from '../api/failure.ts';
import { localValue, sessionValue } from '../ui/browser-storage.ts';

const storedToken = sessionValue('CQ-TOKEN');
const storedZone = sessionValue('gatehouse.zone');
/** The account created in this browser that has not entered a zone yet. */
const storedNewcomer = localValue('gatehouse.newcomer');

const token = shallowRef(storedToken.get());
const lastZone = ref(Number(storedZone.get()) || null);
const newcomer = ref(storedNewcomer.get());
const endedBy = shallowRef<Failure | null>(null);

/** The logged-in player of this tab. Only this file knows where the token is stored. */
export const session = {
  token: computed(() => token.value),
  signedIn: computed(() => token.value !== null),
  account: computed(() => accountIn(token.value)),
  /** The zone last entered, or chosen at registration. */
  lastZone: computed(() => lastZone.value),
  /** Has an account but has not entered the game yet. */
  isNew: computed(() => newcomer.value !== null && newcomer.value === accountIn(token.value)),
  /** Why the last session ended, shown on the login page; null after a logout. */
  endedBy: computed(() => endedBy.value),

  start({ token: given, server_id, account }: Session, { isNew = false } = {}) {
    if (isNew) setNewcomer(account);
    session.join(given, server_id);
  },

  /** Continues the session of another tab. */
  join(given: string, zone: number | null) {
    endedBy.value = null;
    // Set the token last: its watchers expect the rest to be set.
    setLastZone(zone);
    storedToken.set(given);
    token.value = given;
  },

  /** Records that the player has entered the game. */
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

/** Returns the account name for display only; the service verifies the token. */
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
