import type { Enqueue } from '../../../db/outbox.ts';
import type { Trx } from '../../../db/transaction.ts';
import type { Actor, AuditEntry } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { readable, refuseFiles, unmasked } from './readable.ts';
import type { NewZone, ZoneAdminStore } from './store.ts';

export interface ZoneAdminParts {
  readonly zones: ZoneAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
  readonly enqueue: Enqueue;
}

const NO_URLS = { gm_url: null, database_url: null };

/** Adds a zone. Returns undefined if the id is taken. */
export function addZone({ zones, audit }: ZoneAdminParts) {
  const add = addIn(zones);
  return (actor: Actor, zone: NewZone, reason?: string): Promise<{ auditId: string } | undefined> =>
    audit.transaction((trx, append) => add(trx, append, actor, zone, reason));
}

/** Adds all zones or none. Returns an id that is taken. */
export function addZones({ zones, audit }: ZoneAdminParts) {
  const add = addIn(zones);
  return async (actor: Actor, added: readonly NewZone[], reason?: string): Promise<number | undefined> => {
    let taken: number | undefined;
    const work = audit.transaction(async (trx, append) => {
      taken = undefined;
      for (const zone of added) {
        if (await add(trx, append, actor, zone, reason)) continue;
        taken = zone.server_id;
        throw new Taken();
      }
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof Taken)) throw error;
    });
    return taken;
  };
}

/** Rolls back the transaction. */
class Taken extends Error {}

type Append = (entry: AuditEntry) => Promise<string>;

function addIn(zones: ZoneAdminStore) {
  return async (trx: Trx, append: Append, actor: Actor, zone: NewZone, reason?: string) => {
    refuseFiles(actor, zone);
    if (!(await zones.add(trx, { ...zone, ...unmasked(zone, NO_URLS) }))) return undefined;
    const { server_id: serverId, ...fields } = zone;
    const auditId = await append({
      actor,
      action: 'zone.add',
      subject: { kind: 'zone', id: serverId },
      serverId,
      reason,
      after: readable(fields),
    });
    return { auditId };
  };
}
