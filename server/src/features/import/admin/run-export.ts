import { randomUUID } from 'node:crypto';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { type CleaningOptions, cleaning } from '../clean.ts';
import { type ExportDeps, exportAccounts } from '../export-accounts.ts';
import type { ExportStore } from '../export-store.ts';
import { oldForms } from '../old-values.ts';
import { createSeen } from '../seen.ts';
import type { Column, ImportStore } from '../store.ts';

export interface RunExportDeps {
  readonly openStore: (columns: readonly Column[]) => ImportStore & ExportStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface ExportRun
  extends Omit<ExportDeps, 'store' | 'clean' | 'seen' | 'forms' | 'beforeWriting'>,
    Pick<CleaningOptions, 'statuses' | 'timeZone'> {
  /** The old table, without credentials. */
  readonly target: { readonly database: string; readonly table: string };
  readonly reason?: string | undefined;
}

/** Writes accounts made or changed here into the old table. The run is recorded before the first write. */
export function runExport({ openStore, audit }: RunExportDeps) {
  return async (actor: Actor, run: ExportRun): Promise<'complete' | 'stopped'> => {
    const { target, reason, statuses, timeZone, ...deps } = run;
    const { source, writer, plan, constants } = deps;
    if (!source.resumable)
      throw new Error(
        'the old table needs a primary key of one column, so that its rows can be changed one by one',
      );
    const given = new Set([...plan.sources, ...Object.keys(constants)]);
    const missing = writer.columns.filter(({ name, isOptional }) => !isOptional && !given.has(name));
    if (missing.length > 0) {
      const names = missing.map(({ name }) => name);
      throw new Error(
        `new rows of the old table need a value for ${names.join(', ')}: --set ${names.map((name) => `${name}=VALUE`).join()}`,
      );
    }
    const unknown = Object.keys(constants).find((name) => !writer.columns.some((each) => each.name === name));
    if (unknown !== undefined) throw new Error(`--set: the old table has no column ${unknown}`);
    let recorded: Promise<unknown> | undefined;
    const id = randomUUID();
    return exportAccounts({
      ...deps,
      clean: cleaning({ plan, statuses, timeZone }),
      forms: oldForms({ plan, columns: writer.columns, statuses, timeZone }),
      seen: createSeen(),
      store: openStore(plan.columns),
      beforeWriting() {
        const entry = { action: 'export', subject: { kind: 'accounts', id }, reason, after: target } as const;
        recorded ??= audit.transaction(actor, (_, append) => append(entry));
        return recorded;
      },
    });
  };
}
