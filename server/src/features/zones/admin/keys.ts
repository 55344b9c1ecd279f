import { randomBytes } from 'node:crypto';
import { Refusal } from '../../../refusal.ts';
import type { Sealer } from '../../../security/sealer.ts';
import type { Actor } from '../../audit/entry.ts';
import type { ZoneKeyStore } from '../key-store.ts';
import type { ZoneAdminParts } from './add.ts';

export interface ZoneKeyParts extends Pick<ZoneAdminParts, 'zones' | 'audit'> {
  readonly keys: ZoneKeyStore;
  readonly sealer: Pick<Sealer, 'seal'>;
}

/** Creates a key for the game server of one zone. It is shown once. */
export function addZoneKey({ zones, keys, sealer, audit }: ZoneKeyParts) {
  return (actor: Actor, serverId: number, reason?: string): Promise<{ keyId: string; key: string }> => {
    const keyId = randomBytes(6).toString('hex');
    const key = `gzk_${randomBytes(32).toString('base64url')}`;
    return audit.transaction(async (trx, append) => {
      if (!(await zones.stateOf(trx, serverId))) throw new Refusal('server_not_found');
      await keys.add(trx, sealer, { keyId, serverId, key, createdBy: actor.name });
      const subject = { kind: 'zone', id: serverId };
      await append({ actor, action: 'key.add', subject, serverId, reason, after: { key_id: keyId } });
      return { keyId, key };
    });
  };
}

/** Revokes one key of a zone, or all of them. Returns their ids. */
export function revokeZoneKeys({ keys, audit }: Pick<ZoneKeyParts, 'keys' | 'audit'>) {
  return (actor: Actor, serverId: number, keyId?: string, reason?: string): Promise<string[]> =>
    audit.transaction(async (trx, append) => {
      const revoked = await keys.remove(trx, serverId, keyId);
      const subject = { kind: 'zone', id: serverId };
      for (const key_id of revoked)
        await append({ actor, action: 'key.revoke', subject, serverId, reason, before: { key_id } });
      return revoked;
    });
}
