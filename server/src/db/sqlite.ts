import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { DatabaseUnavailable, isSqliteBusy, isUnwritable, OutcomeUnknown } from './errors.ts';
import { createLock } from './lock.ts';
import {
  isRead,
  noStreaming,
  type OpenedEngine,
  type Session,
  type SessionSource,
  sessionDriver,
} from './session.ts';
import { openConnection, type SqliteConnection } from './sqlite-connection.ts';

const busyTimeoutMs = 5000;
const lockTimeoutMs = 10_000;

/** Needs new pages in the file, as players' writes do, and leaves nothing behind. */
const WRITE_PROBE = [
  'DROP TABLE IF EXISTS write_probe',
  'CREATE TABLE write_probe AS SELECT zeroblob(65536) AS filler',
  'DROP TABLE write_probe',
];

/** Kysely would otherwise run one statement at a time, reads included. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export async function openSqlite(file: string): Promise<OpenedEngine> {
  const source = await openSource(file);
  return {
    dialect: {
      createAdapter: () => new ConcurrentSqliteAdapter(),
      createDriver: () => sessionDriver(source),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    read: source.read,
    load: source.load,
    checkWrites: source.checkWrites,
  };
}

/**
 * Opens two connections. Reads run concurrently on one, against the last committed state; writes and transactions are serialized
 * on the other, because SQLite allows one writer at a time.
 */
async function openSource(
  file: string,
): Promise<SessionSource & Pick<OpenedEngine, 'read' | 'load'> & { checkWrites: () => Promise<void> }> {
  let opened: SqliteConnection | undefined = await retryWhileBusy(() => openConnection(file, 'writer'));
  /** Reopens the connection if it had to be closed. */
  const writer = () => {
    opened ??= openConnection(file, 'writer');
    return opened;
  };
  const reader = await retryWhileBusy(() => openConnection(file, 'reader'));
  const writerLock = createLock(
    lockTimeoutMs,
    () => new DatabaseUnavailable('another write locked the database for too long'),
  );

  let hasFailed = false;

  /** Runs a write, and remembers if the file cannot be written. */
  function write<T>(work: (connection: SqliteConnection) => T): T {
    try {
      return work(writer());
    } catch (error) {
      hasFailed ||= isUnwritable(error);
      throw error;
    }
  }

  async function checkWrites(): Promise<void> {
    if (!hasFailed) return;
    await writerLock.acquire();
    try {
      for (const statement of WRITE_PROBE) await retryWhileBusy(() => writer().exec(statement));
      hasFailed = false;
    } finally {
      writerLock.release();
    }
  }

  function openSession(): Session {
    let inTransaction = false;

    function leaveTransaction(): void {
      inTransaction = false;
      writerLock.release();
    }

    async function rollback(): Promise<void> {
      if (!inTransaction) return;
      try {
        if (writer().inTransaction) writer().exec('ROLLBACK');
      } catch {
        opened?.close(); // ends the transaction too
        opened = undefined;
      } finally {
        leaveTransaction();
      }
    }

    return {
      async executeQuery(query) {
        if (inTransaction) {
          // After some errors SQLite rolls back on its own; continuing would commit each statement separately.
          if (!writer().inTransaction) throw new Error('this transaction has already ended');
          return write((connection) => connection.run(query));
        }
        if (isRead(query)) return retryWhileBusy(() => reader.run(query));
        await writerLock.acquire();
        try {
          return await retryWhileBusy(() => write((connection) => connection.run(query)));
        } finally {
          writerLock.release();
        }
      },
      streamQuery: noStreaming,
      async begin() {
        await writerLock.acquire();
        try {
          await retryWhileBusy(() => writer().exec('BEGIN IMMEDIATE'));
          inTransaction = true;
        } catch (error) {
          writerLock.release();
          throw error;
        }
      },
      async commit() {
        if (!writer().inTransaction) throw new Error('this transaction has already ended');
        try {
          write((connection) => connection.exec('COMMIT'));
        } catch (error) {
          if (isSqliteBusy(error)) throw error;
          throw new OutcomeUnknown('the commit was not confirmed', { cause: error });
        }
        leaveTransaction();
      },
      rollback,
      release: rollback,
    };
  }

  return {
    load: () => ({ waiting: writerLock.waiting() }),
    openSession,
    checkWrites,
    read: (query) => retryWhileBusy(() => reader.run<never>(query).rows),
    async close() {
      // Wait for an unfinished transaction. One that never ends is rolled back by closing.
      await writerLock.acquire().catch(() => {});
      reader.close();
      opened?.close();
      writerLock.release();
    },
  };
}

/** Retries while another process holds the file, without blocking this process. */
async function retryWhileBusy<T>(attempt: () => T): Promise<T> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      deadline ??= performance.now() + busyTimeoutMs;
      if (!isSqliteBusy(error) || performance.now() > deadline) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
}
