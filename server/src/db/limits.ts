/** How long a caller may wait for the database. */
export interface DatabaseLimits {
  /** For the answer to one statement. */
  readonly statementMs: number;
  /** For a free connection of the pool. */
  readonly acquireMs: number;
  /** For a lock that another transaction holds. It ends before `statementMs`. */
  readonly lockWaitS: number;
  /** For repeating what a deadlock or a lost connection has undone. */
  readonly repeatMs: number;
}

export const usualLimits: DatabaseLimits = {
  statementMs: 8000,
  acquireMs: 5000,
  lockWaitS: 4,
  repeatMs: 8000,
};
