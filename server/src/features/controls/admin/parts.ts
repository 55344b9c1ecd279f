import { Refusal } from '../../../refusal.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { ControlAdminStore } from './store.ts';

export interface ControlAdminParts {
  readonly controls: ControlAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export const isEnded = ({ until }: { readonly until: number | null }, now: number) =>
  until !== null && until <= now;

/** Refuses an end in the past: the change would never take effect. */
export function refusePast(until: number | null, now: number): void {
  if (isEnded({ until }, now))
    throw new Refusal('invalid_request', { errors: [{ field: 'until', message: 'future' }] });
}

/** Formats a time for the audit. */
export const time = (until: number | null) => (until === null ? null : new Date(until).toISOString());
