import { permissionsOf } from '@gatehouse/contract/admin';
import { Refusal } from '../../../refusal.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { OperatorAdminParts } from './invite.ts';
import { refuseKey, revokeKeysOf } from './keys.ts';
import type { OperatorChange, OperatorRecord } from './store.ts';

export interface SetOperator extends OperatorChange {
  readonly name: string;
  readonly reason?: string | undefined;
}

/** Changes an operator's role, zones or status and ends their sessions, so that permissions are evaluated anew. */
export function setOperator({ operators, keys, sessions, audit }: OperatorAdminParts) {
  return async (
    actor: Actor,
    { name, reason, ...wanted }: SetOperator,
  ): Promise<{ operator: OperatorRecord; auditId: string | null }> => {
    refuseKey(actor);
    return audit.transaction(async (trx, append) => {
      if (endsAdministration(wanted)) await operators.countAdministrators(trx);
      const now = await operators.find(trx, name);
      if (!now) throw new Refusal('operator_not_found');
      const change = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const changed = changes(comparable(now), comparable(change));
      if (!changed) return { operator: now, auditId: null };
      await operators.change(trx, now, wanted);
      if (
        endsAdministration(wanted) &&
        now.role === 'admin' &&
        (await operators.countAdministrators(trx)) === 0
      )
        throw new Refusal('would_lock_out', { variant: 'last_admin' });
      await sessions.endAll(trx, now.id);
      const operator = { ...now, ...change };
      if (!isAdministrator(operator))
        for (const entry of await revokeKeysOf(keys, trx, { actor, maker: now, reason })) await append(entry);
      const entry = { actor, action: actionOf(now, operator), reason } as const;
      return {
        operator,
        auditId: await append({ ...entry, subject: { kind: 'operator', id: name }, ...changed }),
      };
    });
  };
}

/** Reports whether the operator may make keys. */
const isAdministrator = ({ role, zones, status }: OperatorRecord) =>
  status === 'active' && permissionsOf(role, zones).includes('operators.write');

/** Reports whether the change may remove an administrator. */
function endsAdministration({ role, zones, status }: OperatorChange): boolean {
  return status === 'disabled' || (role !== undefined && role !== 'admin') || Boolean(zones);
}

function actionOf(before: OperatorRecord, after: OperatorRecord) {
  if (before.status === after.status) return 'operator.set';
  return after.status === 'disabled' ? 'operator.disable' : 'operator.enable';
}

/** Joins lists to text, so that they compare by content. */
function comparable({ role, zones, status }: OperatorChange) {
  return {
    ...(role !== undefined && { role }),
    ...(zones !== undefined && { zones: zones === null ? null : zones.join(',') }),
    ...(status !== undefined && { status }),
  };
}
