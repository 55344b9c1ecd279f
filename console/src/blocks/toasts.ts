import { shallowRef } from 'vue';

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** The audit entry of the change; null if nothing changed. */
  readonly auditId: string | null | undefined;
}

const LIFETIME_MS = 8000;
let last = 0;
export const toasts = shallowRef<readonly Toast[]>([]);

/** Shows what happened, with its audit entry. */
export function toast(text: string, auditId?: string | null) {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, text, auditId }];
  setTimeout(() => dismissToast(id), LIFETIME_MS);
}

export function dismissToast(id: number) {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}
