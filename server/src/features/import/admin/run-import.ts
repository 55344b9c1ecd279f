import type { ErasedNameStore } from '../../account/erased-name-store.ts';
import type { Actor } from '../../audit/entry.ts';
import { type AuditStore, append } from '../../audit/store.ts';
import { type CleaningParts, cleaning } from '../clean.ts';
import { type ImportParts, importAccounts } from '../import-accounts.ts';
import { createSeen } from '../seen.ts';
import type { Column, ImportStore } from '../store.ts';
import { recordRun } from './record-run.ts';

export interface RunImportParts {
  readonly openStore: (columns: readonly Column[]) => ImportStore;
  readonly audit: Pick<AuditStore, 'has'>;
  readonly erasedNames: Pick<ErasedNameStore, 'among'>;
}

export interface ImportRun
  extends Omit<ImportParts, 'store' | 'clean' | 'seen'>,
    Pick<CleaningParts, 'statuses' | 'timeZone'> {
  /** The source of the accounts, without credentials. */
  readonly origin: { readonly file: string } | { readonly database: string; readonly table: string };
  readonly reason?: string | undefined;
}

/** Imports accounts of another system. The run is recorded with the first accounts it adds. */
export function runImport({ openStore, audit, erasedNames }: RunImportParts) {
  return async (actor: Actor, run: ImportRun): Promise<'complete' | 'stopped'> => {
    const { origin, reason, statuses, timeZone, ...parts } = run;
    const store = openStore(parts.plan.columns);
    return importAccounts({
      ...parts,
      clean: cleaning({ plan: parts.plan, statuses, timeZone }),
      seen: createSeen(),
      store: {
        knownOf: store.knownOf,
        erasedAmong: erasedNames.among,
        addAll: recordRun({
          store,
          audit: { has: audit.has, append },
          entry: { actor, action: 'import.run', reason, after: origin },
        }),
      },
    });
  };
}
