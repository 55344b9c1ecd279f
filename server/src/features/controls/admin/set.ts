import { type ControlName, controlNames } from '@gatehouse/contract/admin';
import { Refusal } from '../../../refusal.ts';
import { fitsSetting, leafOf } from '../../../settings/leaves.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import { type ControlAdminParts, isEnded, refusePast, time } from './parts.ts';

export interface ControlChange {
  readonly name: string;
  readonly value: unknown;
  readonly until?: number | null | undefined;
  readonly reason?: string | undefined;
}

export interface ControlClearing {
  readonly name: string;
  readonly reason?: string | undefined;
}

/**
 * Overrides a setting, replacing an earlier override, until it ends or is cleared. Returns the id of the audit entry, or null if
 * nothing changed.
 */
export function setControl({ controls, audit }: ControlAdminParts) {
  return async (
    actor: Actor,
    { name, value, until = null, reason }: ControlChange,
  ): Promise<string | null> => {
    const control = knownControl(name);
    if (!fitsSetting(name, value)) throw unfitValue(name);
    return audit.transaction(async (trx, append) => {
      const now = await controls.now(trx);
      refusePast(until, now);
      const row = await controls.stateOf(trx, control);
      const before = row && !isEnded(row, now) ? row : undefined;
      const changed = changes(
        { value: before ? JSON.parse(before.value) : null, until: time(before?.until ?? null) },
        { value, until: time(until) },
      );
      if (!changed) return null;
      const change = { until, by: actor.name, reason: reason ?? null };
      await controls.set(trx, row, { name: control, value: JSON.stringify(value), ...change });
      return append({
        actor,
        action: 'control.set',
        subject: { kind: 'control', id: name },
        reason,
        ...changed,
      });
    });
  };
}

/** Restores the settings file's value. Returns the id of the audit entry. */
export function clearControl({ controls, audit }: ControlAdminParts) {
  return (actor: Actor, { name, reason }: ControlClearing): Promise<string> =>
    audit.transaction(async (trx, append) => {
      const before = await controls.stateOf(trx, knownControl(name));
      if (!before || isEnded(before, await controls.now(trx))) throw new Refusal('not_found');
      await controls.clear(trx, before);
      return append({
        actor,
        action: 'control.clear',
        subject: { kind: 'control', id: name },
        reason,
        before: { value: JSON.parse(before.value), until: time(before.until) },
      });
    });
}

function knownControl(name: string): ControlName {
  const known = controlNames.find((each) => each === name);
  if (known === undefined) throw new Refusal('not_found');
  return known;
}

function unfitValue(name: string): Refusal {
  const params = { type: leafOf(name)?.schema.type ?? '' };
  return new Refusal('invalid_request', { errors: [{ field: 'value', message: 'type', params }] });
}
