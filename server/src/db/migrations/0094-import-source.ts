import { bigint, createdAt, int, type Table, text } from '../ddl.ts';

/** What the last import found in each source of old accounts, for the state of a takeover. */
const importSource = {
  name: 'import_source',
  columns: {
    /** The source without credentials, shortened, and the digest of its full name. */
    digest: text(64),
    source: text(191),
    accounts: int(0),
    kept: int(0),
    conflicts: int(0),
    refused: int(0),
    /** 0 if the run was stopped before the end. */
    complete: int(0),
    /** Seconds between the runs of `--watch`; 0 for a single run. */
    watch: int(0),
    /** When the figures last changed. */
    changed_at: createdAt,
    /** When it was last compared. A single run that changes nothing does not write it. */
    at: bigint(0),
  },
  primaryKey: ['digest'],
  index: [['at']],
} as const satisfies Table;

export const importSources = { name: '0094-import-source', tables: [importSource] };
