import type { Session } from '@gatehouse/contract/player';
import { computed, ref, shallowRef } from 'vue';
import type { Failure } from '../api/failure.ts';
import { sessionValue } from '../ui/browser-storage.ts';

const storedToken = sessionValue('CQ-TOKEN');
const storedZone = sessionValue('gatehouse.zone');

const token = shallowRef(storedToken.get());
const lastZone = ref(Number(storedZone.get()) || null);
const endedBy = shallowRef<Failure | null>(null);

/** The signed-in player of this tab. Only this file knows where the token is stored. */
export const session = {
  token: computed(() => token.value),
  signedIn: computed(() => token.value !== null),
  account: computed(() => accountIn(token.value)),
  lastZone: computed(() => lastZone.value),
  /** Why the last session ended, for the login page to say; null after a sign-out. */
  endedBy: computed(() => endedBy.value),

  start(started: Session) {
    endedBy.value = null;
    token.value = started.token;
    storedToken.set(started.token);
    if (started.server_id === null) clearLastZone();
    else session.setLastZone(started.server_id);
  },

  setLastZone(serverId: number) {
    lastZone.value = serverId;
    storedZone.set(String(serverId));
  },

  end(reason: Failure | null = null) {
    endedBy.value = reason;
    token.value = null;
    storedToken.remove();
    clearLastZone();
  },
};

function clearLastZone() {
  lastZone.value = null;
  storedZone.remove();
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
