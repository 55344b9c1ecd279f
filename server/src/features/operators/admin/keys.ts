import { randomBytes } from 'node:crypto';
import type { Trx } from '../../../db/transaction.ts';
import { Refusal } from '../../../refusal.ts';
import type { Actor, Append, Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { hashToken } from '../authenticate.ts';
import type { OperatorAccess } from '../operator.ts';
import type { KeyStore } from './key-store.ts';
import type { OperatorAdminStore } from './store.ts';

export interface KeyDeps {
  readonly keys: KeyStore;
  readonly operators: Pick<OperatorAdminStore, 'find'>;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface NewScriptKey extends OperatorAccess, Why {
  readonly days?: number | undefined;
}

const DAY_MS = 24 * 3_600_000;

/** Keeps keys of any role from changing operators and keys: a key could otherwise outlive its own revocation. */
export function refuseKey({ via }: Pick<Actor, 'via'>): void {
  if (via === 'key') throw new Refusal('permission_denied', { variant: 'key' });
}

/** Creates a key for a script. It is shown once, and only its hash is stored. */
export function addKey({ keys, operators, audit }: KeyDeps) {
  return async (actor: Actor, { name, role, zones, days, reason }: NewScriptKey) => {
    refuseKey(actor);
    const key = `ghk_${randomBytes(32).toString('base64url')}`;
    const lifetimeMs = days === undefined ? undefined : days * DAY_MS;
    return audit.transaction(actor, async (trx, append): Promise<{ key: string; auditId: string }> => {
      if (await operators.find(trx, name)) throw new Refusal('operator_taken');
      const maker = actor.via === 'console' ? await operators.find(trx, actor.name) : undefined;
      const added = {
        name,
        role,
        zones,
        keyHash: hashToken(key),
        createdBy: actor.name,
        operatorId: maker?.id,
        lifetimeMs,
      };
      if (!(await keys.add(trx, added))) throw new Refusal('operator_taken', { variant: 'key' });
      const entry = { action: 'key.add', subject: { kind: 'key', id: name }, reason } as const;
      return { key, auditId: await append({ ...entry, after: { role, zones, days: days ?? null } }) };
    });
  };
}

export function revokeKey({ keys, audit }: Pick<KeyDeps, 'keys' | 'audit'>) {
  return async (actor: Actor, { name, reason }: Why & { name: string }): Promise<string> => {
    refuseKey(actor);
    return audit.transaction(actor, async (trx, append) => {
      const revoked = await keys.revoke(trx, name);
      if (!revoked) throw new Refusal('not_found');
      return append(revocation(revoked, reason));
    });
  };
}

/** Revokes every key that an operator made, and records each. */
export async function revokeKeysOf(
  keys: KeyStore,
  trx: Trx,
  { maker, reason, append }: Why & { readonly maker: { readonly id: number }; readonly append: Append },
): Promise<void> {
  for (const name of await keys.namesMadeBy(trx, maker.id)) {
    const revoked = await keys.revoke(trx, name);
    if (revoked) await append(revocation(revoked, reason));
  }
}

function revocation({ name, role, zones }: OperatorAccess, reason?: string): Parameters<Append>[0] {
  return { action: 'key.revoke', subject: { kind: 'key', id: name }, reason, before: { role, zones } };
}
