import { Refusal } from '../../../refusal.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor, AuditEntry } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { AnnouncementAdminStore, AnnouncementFields } from './store.ts';

export interface AnnouncementAdminParts {
  readonly announcements: AnnouncementAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface Why {
  readonly reason?: string | undefined;
}

interface Announcing {
  readonly id: number;
  readonly auditId: string;
}

/** Adds an announcement. Returns its id and that of the audit entry. */
export function addAnnouncement({ announcements, audit }: AnnouncementAdminParts) {
  return async (actor: Actor, fields: AnnouncementFields, { reason }: Why = {}): Promise<Announcing> => {
    refuseEmptySpan(fields);
    return audit.transaction(async (trx, append) => {
      const id = await announcements.add(trx, fields);
      const auditId = await append({
        ...entry(actor, id, reason),
        action: 'announcement.add',
        after: readable(fields),
      });
      return { id, auditId };
    });
  };
}

/** Changes the given fields. Returns the id of the audit entry, or null if nothing changed. */
export function setAnnouncement({ announcements, audit }: AnnouncementAdminParts) {
  return (
    actor: Actor,
    { id, ...given }: Partial<AnnouncementFields> & { readonly id: number },
    { reason }: Why = {},
  ): Promise<string | null> =>
    audit.transaction(async (trx, append) => {
      const before = await announcements.stateOf(trx, id);
      if (!before) throw new Refusal('not_found');
      const changed = changes<Partial<AnnouncementFields>>(before, given);
      if (!changed) return null;
      const after = { ...before, ...given };
      refuseEmptySpan(after);
      await announcements.change(trx, before, after);
      return append({
        ...entry(actor, id, reason),
        action: 'announcement.set',
        before: readable(changed.before),
        after: readable(changed.after),
      });
    });
}

export function removeAnnouncement({ announcements, audit }: AnnouncementAdminParts) {
  return (actor: Actor, id: number, { reason }: Why = {}): Promise<string> =>
    audit.transaction(async (trx, append) => {
      const before = await announcements.stateOf(trx, id);
      if (!before) throw new Refusal('not_found');
      await announcements.remove(trx, before);
      const { id: _, ...fields } = before;
      return append({ ...entry(actor, id, reason), action: 'announcement.remove', before: readable(fields) });
    });
}

function entry(actor: Actor, id: number, reason: string | undefined): Omit<AuditEntry, 'action'> {
  return { actor, subject: { kind: 'announcement', id }, reason };
}

function refuseEmptySpan({ from, until }: Pick<AnnouncementFields, 'from' | 'until'>): void {
  if (from !== null && until !== null && until <= from)
    throw new Refusal('invalid_request', { errors: [{ field: 'until', message: 'after_from' }] });
}

/** Renders times as ISO text. */
function readable(fields: Partial<AnnouncementFields>): object {
  const times = Object.entries(fields).filter(([name]) => name === 'from' || name === 'until');
  return {
    ...fields,
    ...Object.fromEntries(
      times.map(([name, at]) => [name, typeof at === 'number' ? new Date(at).toISOString() : at]),
    ),
  };
}
