import type { OperatorSession, Permission } from '@gatehouse/contract/admin';
import { computed, shallowRef } from 'vue';
import { call } from '../api/client.ts';
import { facts } from '../api/facts.ts';
import { codeOf, failureOf } from '../api/failure.ts';
import { signedInHint } from '../api/signed-in-hint.ts';

const operator = shallowRef<OperatorSession | null>(null);
const endedAt = shallowRef<Date | null>(null);
const needsTotp = shallowRef(false);
let loading: Promise<void> | undefined;

/** The logged-in operator. The cookie itself is inaccessible to scripts. */
export const session = {
  operator: computed(() => operator.value),
  signedIn: computed(() => operator.value !== null),
  /** When the service ended the session while in use. */
  endedAt: computed(() => endedAt.value),
  /** Only two-factor setup is allowed. */
  needsTotp: computed(
    () => operator.value !== null && !operator.value.totp && (needsTotp.value || facts.requireTotp),
  ),
  may: (permission: Permission) => operator.value?.permissions.includes(permission) ?? false,
  /** Whether the operator's zones include this one. */
  mayZone: (serverId: number) => operator.value?.zones?.includes(serverId) ?? true,

  start(found: OperatorSession) {
    signedInHint.set('1');
    operator.value = found;
    endedAt.value = null;
    needsTotp.value = false;
  },

  /** Asks the service once who is logged in. Throws if it cannot be reached. */
  known(): Promise<void> {
    loading ??= ask().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  },

  ended(at = new Date()) {
    signedInHint.remove();
    if (operator.value === null) return;
    operator.value = null;
    endedAt.value = at;
  },

  totpRequired() {
    needsTotp.value = true;
  },

  async signOut() {
    await call('logout');
    signedInHint.remove();
    operator.value = null;
    endedAt.value = null;
  },
};

async function ask(): Promise<void> {
  if (signedInHint.get() === null) return;
  try {
    session.start(await call('me'));
  } catch (error) {
    if (codeOf(failureOf(error)) !== 'invalid_token') throw error;
  }
}
