import type { Session } from '@gatehouse/contract/player';
import { computed, ref, shallowRef } from 'vue';
import type { Failure } from '../api/failure.ts';
import { localValue, type StoredValue, sessionValue } from '../ui/browser-storage.ts';

const storedToken = sessionValue('CQ-TOKEN');
const storedZone = sessionValue('gatehouse.zone');
/** The account created in this browser that has not entered a zone yet. */
const storedNewcomer = localValue('gatehouse.newcomer');

/** The token of a player who chose to stay logged in on this device, in place of a tab's own. */
const rememberedToken = localValue('gatehouse.remembered');
/** The zone that this player entered last, for a new tab. */
const rememberedZone = localValue('gatehouse.remembered_zone');
/** Set while the password is one that an operator made. */
const storedTemporary = sessionValue('gatehouse.temporary');

if (storedToken.get() === null) {
  const remembered = rememberedToken.get();
  if (remembered !== null && hasEnded(remembered)) forgetRemembered();
  else if (remembered !== null) {
    storedToken.set(remembered);
    storeZone(storedZone, Number(rememberedZone.get()) || null);
  }
}

const token = shallowRef(storedToken.get());
const passwordTemporary = ref(storedTemporary.get() !== null);
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

  /** An operator made the password, and the player has to choose another one first. */
  passwordTemporary: computed(() => passwordTemporary.value),

  /** Keeps the choice to stay logged in if `remember` is undefined; another player of this device may have made one too. */
  start(
    { token: given, server_id, account, password_temporary }: Session,
    { isNew = false, remember }: { isNew?: boolean; remember?: boolean } = {},
  ) {
    if (isNew) setNewcomer(account);
    if (remember ?? isRemembered(token.value)) rememberedToken.set(given);
    else if (remember === false) forgetRemembered();
    setTemporary(password_temporary === true);
    session.join(given, server_id);
  },

  /** Continues the session of another tab. */
  join(given: string, zone: number | null) {
    endedBy.value = null;
    // Set the token last: its watchers expect the rest to be set.
    setLastZone(zone, given);
    storedToken.set(given);
    token.value = given;
  },

  /** Records that the player has entered the game. */
  entered(serverId: number) {
    if (session.isNew.value) setNewcomer(null);
    setLastZone(serverId, token.value);
  },

  /** Hides why the last session ended. */
  forgetEnd() {
    endedBy.value = null;
  },

  end(reason: Failure | null = null) {
    endedBy.value = reason;
    storedToken.remove();
    forgetRemembered();
    setTemporary(false);
    setLastZone(null, null);
    token.value = null;
  },
};

function setLastZone(zone: number | null, of: string | null) {
  lastZone.value = zone;
  storeZone(storedZone, zone);
  if (isRemembered(of)) storeZone(rememberedZone, zone);
}

function storeZone(to: StoredValue, zone: number | null) {
  if (zone === null) to.remove();
  else to.set(String(zone));
}

function isRemembered(jwt: string | null): boolean {
  return jwt !== null && rememberedToken.get() === jwt;
}

function forgetRemembered() {
  rememberedToken.remove();
  rememberedZone.remove();
}

function setTemporary(isTemporary: boolean) {
  passwordTemporary.value = isTemporary;
  if (isTemporary) storedTemporary.set('1');
  else storedTemporary.remove();
}

function setNewcomer(account: string | null) {
  newcomer.value = account;
  if (account === null) storedNewcomer.remove();
  else storedNewcomer.set(account);
}

/** Returns the account name for display only; the service verifies the token. */
function accountIn(jwt: string | null): string {
  return claimsIn(jwt)?.account ?? '';
}

function hasEnded(jwt: string): boolean {
  return (claimsIn(jwt)?.exp ?? 0) * 1000 <= Date.now();
}

function claimsIn(jwt: string | null): Claims | null {
  try {
    const payload = jwt?.split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (c) =>
      c.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isClaims(claims) ? claims : null;
  } catch {
    return null;
  }
}

interface Claims {
  readonly account: string;
  readonly exp?: number;
}

function isClaims(claims: unknown): claims is Claims {
  return (
    typeof claims === 'object' && claims !== null && 'account' in claims && typeof claims.account === 'string'
  );
}
