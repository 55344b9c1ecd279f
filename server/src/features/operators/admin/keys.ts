import { randomBytes } from 'node:crypto';
import { Refusal } from '../../../refusal.ts';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { hashToken } from '../authenticate.ts';
import type { OperatorAccess } from '../operator.ts';
import type { KeyStore } from './key-store.ts';

export interface KeyParts {
  readonly keys: KeyStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface NewScriptKey extends OperatorAccess {
  readonly days?: number | undefined;
  readonly reason?: string | undefined;
}

const DAY_MS = 24 * 3_600_000;

/** Makes a key for a script; it is shown once and only its hash is kept. */
export function addKey({ keys, audit }: KeyParts) {
  return (actor: Actor, { name, role, zones, days, reason }: NewScriptKey) => {
    const key = `ghk_${randomBytes(32).toString('base64url')}`;
    const lifetimeMs = days === undefined ? undefined : days * DAY_MS;
    return audit.transaction(async (trx, append): Promise<{ key: string; auditId: string }> => {
      const added = { name, role, zones, keyHash: hashToken(key), createdBy: actor.name, lifetimeMs };
      if (!(await keys.add(trx, added))) throw new Refusal('operator_taken', { variant: 'key' });
      const entry = { actor, action: 'key.add', subject: { kind: 'key', id: name }, reason } as const;
      return { key, auditId: await append({ ...entry, after: { role, zones, days: days ?? null } }) };
    });
  };
}

export function revokeKey({ keys, audit }: KeyParts) {
  return (actor: Actor, { name, reason }: { name: string; reason?: string | undefined }): Promise<string> =>
    audit.transaction(async (trx, append) => {
      const revoked = await keys.revoke(trx, name);
      if (!revoked) throw new Refusal('not_found');
      const { role, zones } = revoked;
      const subject = { kind: 'key', id: revoked.name };
      return append({ actor, action: 'key.revoke', subject, reason, before: { role, zones } });
    });
}
