import { Refusal } from '../../../refusal.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { ControlAdminStore } from './store.ts';

export interface ControlAdminParts {
  readonly controls: ControlAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export const isEnded = ({ until }: { readonly until: number | null }, now: number) =>
  until !== null && until <= now;

/** An end that has passed would be a change that never holds. */
export function refusePast(until: number | null, now: number): void {
  if (isEnded({ until }, now))
    throw new Refusal('invalid_request', { errors: [{ field: 'until', message: 'future' }] });
}

/** As the audit shows it. */
export const time = (until: number | null) => (until === null ? null : new Date(until).toISOString());
