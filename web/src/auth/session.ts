import type { Session } from '@gatehouse/contract';
import { computed, ref, shallowRef } from 'vue';
import type { Failure } from '../api/failure.ts';
import { forThisTab } from '../ui/browser-storage.ts';

const keptToken = forThisTab('CQ-TOKEN');
const keptZone = forThisTab('gatehouse.zone');

const token = shallowRef(keptToken.read());
const lastZone = ref(Number(keptZone.read()) || null);
const endedBy = shallowRef<Failure | null>(null);

/** The signed-in player of this tab. Nothing else in the page knows where the token is kept. */
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
    keptToken.write(started.token);
    if (started.server_id === null) forgetZone();
    else session.enteredZone(started.server_id);
  },

  enteredZone(serverId: number) {
    lastZone.value = serverId;
    keptZone.write(String(serverId));
  },

  end(reason: Failure | null = null) {
    endedBy.value = reason;
    token.value = null;
    keptToken.forget();
    forgetZone();
  },
};

function forgetZone() {
  lastZone.value = null;
  keptZone.forget();
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
