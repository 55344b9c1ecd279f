import { randomBytes } from 'node:crypto';
import { permissionsOf } from '@gatehouse/contract/admin';
import { Refusal } from '../../../refusal.ts';
import { type Actor, changes, type Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { TwoFactor } from '../../two-factor/two-factor.ts';
import { hashToken } from '../authenticate.ts';
import type { OperatorAccess } from '../operator.ts';
import type { SessionStore } from '../session-store.ts';
import type { KeyStore } from './key-store.ts';
import { refuseKey, revokeKeysOf } from './keys.ts';
import type { OperatorAdminStore, OperatorChange, OperatorRecord } from './store.ts';

export interface SetOperator extends OperatorChange, Why {
  readonly name: string;
}

/** Changes an operator's role, zones or status and ends their sessions, so that permissions are evaluated again. */
export function setOperator({ operators, keys, sessions, audit }: OperatorAdminDeps) {
  return async (
    actor: Actor,
    { name, reason, ...wanted }: SetOperator,
  ): Promise<{ operator: OperatorRecord; auditId: string | null }> => {
    refuseKey(actor);
    return audit.transaction(actor, async (trx, append) => {
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
      if (!isAdministrator(operator)) await revokeKeysOf(keys, trx, { maker: now, reason, append });
      const entry = {
        action: actionOf(now, operator),
        subject: { kind: 'operator', id: name },
        reason,
      } as const;
      return { operator, auditId: await append({ ...entry, ...changed }) };
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

export interface OperatorAdminDeps {
  readonly operators: OperatorAdminStore;
  readonly keys: KeyStore;
  readonly sessions: Pick<SessionStore, 'endAll'>;
  readonly twoFactor: Pick<TwoFactor, 'remove'>;
  readonly audit: Pick<AuditStore, 'transaction'>;
  readonly publicUrl: string;
}

/** The link with which an operator chooses a password. It is shown once and valid once. */
export interface Invitation {
  readonly link: string;
  readonly auditId: string;
}

const LIFETIME_MS = 24 * 3_600_000;

function newInvitation(publicUrl: string) {
  const token = randomBytes(32).toString('base64url');
  return {
    link: `${new URL('/console/invite', publicUrl).href}#${token}`,
    kept: { invitationHash: hashToken(token), lifetimeMs: LIFETIME_MS },
  };
}

/** Adds an operator, who accepts by choosing a password. */
export function addOperator({ operators, keys, audit, publicUrl }: OperatorAdminDeps) {
  return async (actor: Actor, { reason, ...added }: OperatorAccess & { reason?: string | undefined }) => {
    refuseKey(actor);
    const { link, kept } = newInvitation(publicUrl);
    return audit.transaction(actor, async (trx, append): Promise<Invitation> => {
      // Names must differ from those of keys, because the audit records only the name.
      if (await keys.isTaken(trx, added.name)) throw new Refusal('operator_taken', { variant: 'key' });
      if (!(await operators.add(trx, added, kept))) throw new Refusal('operator_taken');
      const { name, ...after } = added;
      const subject = { kind: 'operator', id: name };
      return { link, auditId: await append({ action: 'operator.add', subject, reason, after }) };
    });
  };
}

/**
 * Invites an operator again, which ends password, second factor and sessions immediately. For the last administrator, who may
 * have lost the second factor, only the command line may do so.
 */
export function inviteAgain(deps: OperatorAdminDeps) {
  const { operators, sessions, twoFactor, audit, publicUrl } = deps;
  return async (actor: Actor, { name, reason }: { name: string; reason?: string | undefined }) => {
    refuseKey(actor);
    const { link, kept } = newInvitation(publicUrl);
    return audit.transaction(actor, async (trx, append): Promise<Invitation> => {
      const operator = await operators.find(trx, name);
      if (!operator) throw new Refusal('operator_not_found');
      await operators.invite(trx, operator, kept);
      const wasAdministrator = operator.role === 'admin' && operator.invitedUntil === null;
      if (wasAdministrator && actor.via !== 'cli' && (await operators.countAdministrators(trx)) === 0)
        throw new Refusal('would_lock_out', { variant: 'last_admin' });
      await sessions.endAll(trx, operator.id);
      await twoFactor.remove(trx, { kind: 'operator', id: operator.id });
      const subject = { kind: 'operator', id: name };
      return { link, auditId: await append({ action: 'operator.invite', subject, reason }) };
    });
  };
}
