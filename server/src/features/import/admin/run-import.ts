import { randomUUID } from 'node:crypto';
import type { ErasedNameStore } from '../../account/registration-store.ts';
import type { Actor, AuditEntry } from '../../audit/entry.ts';
import { type AuditStore, append } from '../../audit/store.ts';
import { type CleaningOptions, cleaning } from '../clean.ts';
import { type ImportDeps, importAccounts } from '../import-accounts.ts';
import { createSeen } from '../seen.ts';
import type { Column, ImportStore, PlayerWrites } from '../store.ts';

export interface RunImportDeps {
  readonly openStore: (columns: readonly Column[]) => ImportStore;
  readonly audit: Pick<AuditStore, 'has'>;
  readonly erasedNames: Pick<ErasedNameStore, 'among'>;
}

export interface ImportRun
  extends Omit<ImportDeps, 'store' | 'clean' | 'seen'>,
    Pick<CleaningOptions, 'statuses' | 'timeZone'> {
  /** The source of the accounts, without credentials. */
  readonly origin: { readonly file: string } | { readonly database: string; readonly table: string };
  readonly reason?: string | undefined;
}

/** Imports accounts of another system. The run is recorded with the first accounts it adds or changes. */
export function runImport({ openStore, audit, erasedNames }: RunImportDeps) {
  return async (actor: Actor, run: ImportRun): Promise<'complete' | 'stopped'> => {
    const { origin, reason, statuses, timeZone, ...deps } = run;
    const store = openStore(deps.plan.columns);
    return importAccounts({
      ...deps,
      clean: cleaning({ plan: deps.plan, statuses, timeZone }),
      seen: createSeen(),
      store: {
        knownOf: store.knownOf,
        erasedAmong: erasedNames.among,
        writeAll: recordRun({
          store,
          audit: { has: audit.has, append },
          entry: { actor, action: 'import.run', reason, after: origin },
        }),
      },
    });
  };
}

interface RecordRunDeps {
  readonly store: Pick<ImportStore, 'writeAll'>;
  readonly audit: Pick<AuditStore, 'has'> & { readonly append: typeof append };
  readonly entry: Omit<AuditEntry, 'id' | 'subject'>;
}

/**
 * Writes accounts and, with the first of them, the run's audit row in one transaction. A row written at the end would be missing
 * if the run was killed, although its accounts stay. A run that writes nothing has no row. Until the row is written, batches run
 * one at a time, so that only one of them writes it.
 */
export function recordRun({ store, audit, entry }: RecordRunDeps) {
  const id = randomUUID();
  let recorded = false;
  let turn: Promise<unknown> = Promise.resolve();

  async function writeFirst(writes: PlayerWrites): Promise<boolean> {
    if (recorded) return store.writeAll(writes);
    const row = { ...entry, id, subject: { kind: 'import', id } };
    const written = await store.writeAll(writes, (trx) => audit.append(trx, row));
    // An unconfirmed commit counts as not written, but may have written the row.
    recorded = written || (await audit.has(id));
    return written;
  }

  return (writes: PlayerWrites): Promise<boolean> => {
    if (recorded) return store.writeAll(writes);
    const writing = turn.then(() => writeFirst(writes));
    turn = writing.catch(() => {});
    return writing;
  };
}
