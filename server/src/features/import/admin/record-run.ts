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
 * Adds accounts, and with the first of them the row of the run, in one transaction. A row at the end would be missing where
 * the run was killed, although its accounts stay; a run that adds nothing has none. Until the row is there, batches take
 * turns, so that only one of them writes it.
 */
export function recordRun({ store, audit, entry }: RecordRunParts) {
  const id = randomUUID();
  let recorded = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function addFirst(players: readonly PlayerValues[]): Promise<boolean> {
    if (recorded) return store.addAll(players);
    const row = { ...entry, id, subject: { kind: 'import', id } };
    const added = await store.addAll(players, (trx) => audit.append(trx, row));
    // A commit that was not confirmed counts as not added, and may have written the row all the same.
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
