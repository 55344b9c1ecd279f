import { Refusal, refuseField } from '../../../refusal.ts';
import { addressList, parseAddressEntry } from '../../../security/addresses.ts';
import type { Actor } from '../../audit/entry.ts';
import { type ControlAdminParts, isEnded, refusePast, time } from './parts.ts';

export interface NewDenyEntry {
  readonly entry: string;
  readonly until?: number | null | undefined;
  readonly reason?: string | undefined;
}

export interface Added {
  readonly id: number;
  readonly auditId: string;
}

export interface DenyRemoval {
  readonly id: number;
  readonly reason?: string | undefined;
}

/** Denies an address, a CIDR block or a range. Returns the ids of the entry and the audit entry. */
export function addDenyEntry({ controls, audit }: ControlAdminParts) {
  return async (actor: Actor, { entry: given, until = null, reason }: NewDenyEntry): Promise<Added> => {
    const entry = given.trim();
    if (parseAddressEntry(entry) === undefined)
      throw new Refusal('invalid_request', { errors: [{ field: 'entry', message: 'address' }] });
    if (actor.ip !== undefined && addressList([entry]).has(actor.ip))
      throw refuseField('would_lock_out', 'entry', { variant: 'address' });
    return audit.transaction(async (trx, append) => {
      refusePast(until, await controls.now(trx));
      await controls.deleteEndedDenyEntries(trx);
      const id = await controls.addDenyEntry(trx, {
        entry,
        until,
        by: actor.name,
        reason: reason ?? null,
      });
      const auditId = await append({
        actor,
        action: 'deny.add',
        subject: { kind: 'deny_entry', id },
        reason,
        after: { entry, until: time(until) },
      });
      return { id, auditId };
    });
  };
}

export function removeDenyEntry({ controls, audit }: ControlAdminParts) {
  return (actor: Actor, { id, reason }: DenyRemoval): Promise<string> =>
    audit.transaction(async (trx, append) => {
      const before = await controls.denyEntryOf(trx, id);
      if (!before || isEnded(before, await controls.now(trx))) throw new Refusal('not_found');
      await controls.removeDenyEntry(trx, before);
      return append({
        actor,
        action: 'deny.remove',
        subject: { kind: 'deny_entry', id },
        reason,
        before: { entry: before.entry, until: time(before.until) },
      });
    });
}
