import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '../../audit/entry.ts';
import type { AuditStore, append } from '../../audit/store.ts';
import type { ImportStore, PlayerValues } from '../store.ts';

interface RecordRunParts {
  readonly store: Pick<ImportStore, 'addAll'>;
  readonly audit: Pick<AuditStore, 'has'> & { readonly append: typeof append };
  readonly entry: Omit<AuditEntry, 'id' | 'subject'>;
}

/**
 * Adds accounts and, with the first of them, the run's audit row in one transaction. A row written at the end would be missing
 * if the run was killed, although its accounts stay. A run that adds nothing has no row. Until the row is written, batches run
 * one at a time, so that only one of them writes it.
 */
export function recordRun({ store, audit, entry }: RecordRunParts) {
  const id = randomUUID();
  let recorded = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function addFirst(players: readonly PlayerValues[]): Promise<boolean> {
    if (recorded) return store.addAll(players);
    const row = { ...entry, id, subject: { kind: 'import', id } };
    const added = await store.addAll(players, (trx) => audit.append(trx, row));
    // An unconfirmed commit counts as not added, but may have written the row.
    recorded = added || (await audit.has(id));
    return added;
  }

  return (players: readonly PlayerValues[]): Promise<boolean> => {
    if (recorded) return store.addAll(players);
    const adding = turn.then(() => addFirst(players));
    turn = adding.catch(() => {});
    return adding;
  };
}
