import type { Actor } from '../entry.ts';
import type { AuditStore } from '../store.ts';

export interface Export {
  /** The list that was handed out, such as `players`. */
  readonly list: string;
  /** By which it was narrowed down. */
  readonly filter: object;
}

/** Records that a list was handed out as a file. */
export function recordExport(audit: Pick<AuditStore, 'transaction'>) {
  return (actor: Actor, { list, filter }: Export): Promise<string> =>
    audit.transaction((_trx, append) =>
      append({ actor, action: 'export', subject: { kind: 'list', id: list }, after: filter }),
    );
}
