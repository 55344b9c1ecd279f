import { type ControlName, controlNames } from '@gatehouse/contract/admin';
import { Refusal, refuseField, refuseInput } from '../../../refusal.ts';
import { timeTextOrNull } from '../../../runtime/time.ts';
import { addressList, parseAddressEntry } from '../../../security/addresses.ts';
import { fitsSetting, leafOf, valueAt } from '../../../settings/leaves.ts';
import type { Settings } from '../../../settings/schema.ts';
import { type Actor, changes, type Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { Control, ControlStore, DenyEntry } from '../store.ts';
import type { ControlAdminStore } from './store.ts';

/** When a change ends; null or undefined for never. */
interface Limited extends Why {
  readonly until?: number | null | undefined;
}

/**
 * Overrides a setting, replacing an earlier override, until it ends or is cleared. Returns the id of the audit entry, or null if
 * nothing changed.
 */
export function setControl({ controls, audit }: ControlAdminDeps) {
  return async (
    actor: Actor,
    { name, value, until = null, reason }: Limited & { name: string; value: unknown },
  ): Promise<string | null> => {
    const control = knownControl(name);
    if (!fitsSetting(name, value))
      throw refuseInput('value', 'type', { type: leafOf(name)?.schema.type ?? '' });
    return audit.transaction(actor, async (trx, append) => {
      const now = await controls.now(trx);
      refusePast(until, now);
      const row = await controls.stateOf(trx, control);
      const before = row && !isEnded(row, now) ? row : undefined;
      const changed = changes(
        { value: before ? JSON.parse(before.value) : null, until: timeTextOrNull(before?.until ?? null) },
        { value, until: timeTextOrNull(until) },
      );
      if (!changed) return null;
      const change = { until, by: actor.name, reason: reason ?? null };
      await controls.set(trx, row, { name: control, value: JSON.stringify(value), ...change });
      return append({
        action: 'control.set',
        subject: { kind: 'control', id: name },
        reason,
        ...changed,
      });
    });
  };
}

/** Restores the settings file's value. Returns the id of the audit entry. */
export function clearControl({ controls, audit }: ControlAdminDeps) {
  return (actor: Actor, { name, reason }: Why & { name: string }): Promise<string> =>
    audit.transaction(actor, async (trx, append) => {
      const before = await controls.stateOf(trx, knownControl(name));
      if (!before || isEnded(before, await controls.now(trx))) throw new Refusal('not_found');
      await controls.clear(trx, before);
      return append({
        action: 'control.clear',
        subject: { kind: 'control', id: name },
        reason,
        before: { value: JSON.parse(before.value), until: timeTextOrNull(before.until) },
      });
    });
}

function knownControl(name: string): ControlName {
  const known = controlNames.find((each) => each === name);
  if (known === undefined) throw new Refusal('not_found');
  return known;
}

export interface ControlAdminDeps {
  readonly controls: ControlAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export const isEnded = ({ until }: { readonly until: number | null }, now: number) =>
  until !== null && until <= now;

/** Refuses an end in the past: the change would never take effect. */
export function refusePast(until: number | null, now: number): void {
  if (isEnded({ until }, now)) throw refuseInput('until', 'future');
}

/** Denies an address, a CIDR block or a range. Returns the ids of the entry and the audit entry. */
export function addDenyEntry({ controls, audit }: ControlAdminDeps) {
  return async (actor: Actor, { entry: given, until = null, reason }: Limited & { entry: string }) => {
    const entry = given.trim();
    if (parseAddressEntry(entry) === undefined) throw refuseInput('entry', 'address');
    if (actor.ip !== undefined && addressList([entry]).has(actor.ip))
      throw refuseField('would_lock_out', 'entry', { variant: 'address' });
    return audit.transaction(actor, async (trx, append) => {
      refusePast(until, await controls.now(trx));
      await controls.deleteEndedDenyEntries(trx);
      const id = await controls.addDenyEntry(trx, { entry, until, by: actor.name, reason: reason ?? null });
      const auditId = await append({
        action: 'deny.add',
        subject: { kind: 'deny_entry', id },
        reason,
        after: { entry, until: timeTextOrNull(until) },
      });
      return { id, auditId };
    });
  };
}

export function removeDenyEntry({ controls, audit }: ControlAdminDeps) {
  return (actor: Actor, { id, reason }: Why & { id: number }): Promise<string> =>
    audit.transaction(actor, async (trx, append) => {
      const before = await controls.denyEntryOf(trx, id);
      if (!before || isEnded(before, await controls.now(trx))) throw new Refusal('not_found');
      await controls.removeDenyEntry(trx, before);
      return append({
        action: 'deny.remove',
        subject: { kind: 'deny_entry', id },
        reason,
        before: { entry: before.entry, until: timeTextOrNull(before.until) },
      });
    });
}

/** A setting that can be overridden: its value in the file and the override in force. */
export interface ListedControl {
  readonly name: ControlName;
  readonly setting: unknown;
  readonly override: Control | undefined;
}

/** Lists the overrides in force, read from the database so that every instance returns the same. */
export function listControls({ store, base }: { store: ControlStore; base: () => Settings }) {
  return async (): Promise<{ controls: ListedControl[]; denied: readonly DenyEntry[] }> => {
    const { controls, denied } = await store.inForce();
    return {
      controls: controlNames.map((name) => ({
        name,
        setting: valueAt(base(), name.split('.')),
        override: controls.find((control) => control.name === name),
      })),
      denied,
    };
  };
}
