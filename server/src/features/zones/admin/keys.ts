import { randomBytes } from 'node:crypto';
import { Refusal } from '../../../refusal.ts';
import type { Sealer } from '../../../security/sealer.ts';
import type { Actor } from '../../audit/entry.ts';
import { requireZone, type ZoneOrder, type ZoneStores } from './change.ts';

type KeyStores = Pick<ZoneStores, 'zones' | 'keys' | 'audit'>;

/** Creates a key for the game server of one zone. It is shown once. */
export function addZoneKey({ zones, keys, audit }: KeyStores, sealer: Pick<Sealer, 'seal'>) {
  return (actor: Actor, { serverId, reason }: ZoneOrder): Promise<{ keyId: string; key: string }> => {
    const keyId = randomBytes(6).toString('hex');
    const key = `gzk_${randomBytes(32).toString('base64url')}`;
    return audit.transaction(async (trx, append) => {
      await requireZone(zones, trx, serverId);
      await keys.add(trx, sealer, { keyId, serverId, key, createdBy: actor.name });
      const subject = { kind: 'zone', id: serverId };
      await append({ actor, action: 'key.add', subject, serverId, reason, after: { key_id: keyId } });
      return { keyId, key };
    });
  };
}

/** Revokes one key of a zone, or all of them. Returns their ids; there is at least one. */
export function revokeZoneKeys({ keys, audit }: KeyStores) {
  return (
    actor: Actor,
    { serverId, keyId, reason }: ZoneOrder & { keyId?: string | undefined },
  ): Promise<string[]> =>
    audit.transaction(async (trx, append) => {
      const revoked = await keys.remove(trx, serverId, keyId);
      if (revoked.length === 0) throw new Refusal('not_found');
      const subject = { kind: 'zone', id: serverId };
      for (const key_id of revoked)
        await append({ actor, action: 'key.revoke', subject, serverId, reason, before: { key_id } });
      return revoked;
    });
}
