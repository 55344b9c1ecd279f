import type { Enqueue } from '../../db/outbox.ts';
import type { Trx } from '../../db/transaction.ts';
import type { ErasedNameStore } from '../account/erased-name-store.ts';
import type { ErasedRecordsStore } from './erased-records-store.ts';
import type { ErasureStore, Traces } from './erasure-store.ts';
import { redactAudit } from './redact.ts';
import { spellings } from './spellings.ts';

export interface EraseParts {
  readonly erasure: ErasureStore;
  readonly records: ErasedRecordsStore;
  readonly erasedNames: Pick<ErasedNameStore, 'add'>;
  readonly enqueue: Enqueue;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

/**
 * Erases an account that is due: first all credentials, then the long lists, and the name last, because the lists are found by
 * it. Every step is idempotent, so an erasure interrupted by a crash continues later on any instance.
 */
export function eraseAccount({ erasure, records, erasedNames, enqueue, transaction }: EraseParts) {
  const begin = (id: number) =>
    transaction(async (trx) => {
      const traces = await erasure.traces(trx, id);
      if (!traces || !(await erasure.begin(trx, traces))) return;
      await redact(trx, traces);
      await records.removeRecords(trx, traces);
    });

  async function redact(trx: Trx, traces: Traces): Promise<void> {
    for (const { id, ...row } of await records.auditRows(trx, traces.id)) {
      const redacted = redactAudit(traces, row);
      if (redacted) await records.rewriteAudit(trx, id, redacted);
    }
  }

  /** Redacts exports before the main transaction, which would otherwise read every export that operators have ever made. */
  async function redactExports(playerId: number): Promise<void> {
    const traces = await transaction((trx) => erasure.traces(trx, playerId));
    if (!traces) return;
    for await (const { id, at: _, ...row } of records.exportRows()) {
      const redacted = redactAudit(traces, row);
      if (redacted) await transaction((trx) => records.rewriteAudit(trx, id, redacted));
    }
  }

  const finish = (id: number, account: string) =>
    transaction(async (trx) => {
      if (!(await erasure.finish(trx, id))) return false;
      await erasedNames.add(trx, account);
      // Remove bindings that a game server has added meanwhile.
      await records.removeRecords(trx, { id, email: '' });
      await enqueue(trx, { type: 'player.deleted', data: { player_id: id } });
      return true;
    });

  return async (id: number): Promise<boolean> => {
    await redactExports(id);
    await begin(id);
    const left = await erasure.remaining(id);
    if (left === undefined) return false;
    while (await records.removeLogins([id]));
    while (await records.removeChat(spellings(left.account)));
    return finish(id, left.account);
  };
}
