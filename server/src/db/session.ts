import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from 'kysely';

/** A Kysely connection, used for one statement or one transaction. */
export interface Session extends DatabaseConnection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Never throws. The transaction is over afterwards and nothing is locked. */
  rollback(): Promise<void>;
  release(): Promise<void>;
}

/** Runs one compiled select directly on the driver. */
export type Read = <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;

/** An engine: its Kysely dialect, and a shortcut for the hottest reads. */
export interface OpenedEngine {
  readonly dialect: Dialect;
  readonly read: Read;
  readonly load: () => DatabaseLoad;
  readonly checkWrites?: () => Promise<void>;
}

export interface DatabaseLoad {
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** Only of a pool. */
  readonly connections?: { readonly busy: number; readonly idle: number };
}

export interface SessionSource {
  openSession(): Session;
  close(): Promise<void>;
}

export function sessionDriver(source: SessionSource): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => source.openSession(),
    beginTransaction: (session: Session) => session.begin(),
    commitTransaction: (session: Session) => session.commit(),
    rollbackTransaction: (session: Session) => session.rollback(),
    releaseConnection: (session: Session) => session.release(),
    destroy: () => source.close(),
  };
}

/** Classifies raw SQL as a write unless it begins as a read. */
export function isRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return true;
  if (query.kind !== 'RawNode') return false;
  if (/^\s*(select|pragma|explain)\b/i.test(sql)) return true;
  return /^\s*with\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql);
}

export function noStreaming(): never {
  throw new Error('streaming a query is not supported: read it in pages');
}
