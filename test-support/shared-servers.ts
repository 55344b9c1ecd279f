import { inject } from 'vitest';
import { MissingProgram } from './executables.ts';
import type { MariadbTemplate } from './migrated-databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if MariaDB is not installed and cannot be. */
    mariadbUrl: string | undefined;
    redisUrl: string | undefined;
    mariadbTemplate: MariadbTemplate | undefined;
  }
}

/** Returns the URL of the run's MariaDB, without a database name. Create your own database in it; do not stop it. */
export function sharedMariadbUrl(): string {
  const url = inject('mariadbUrl');
  if (url === undefined) throw new MissingProgram('mariadbd');
  return url;
}

/** Returns the URL of the run's Redis. Use your own keys; do not flush it. */
export function sharedRedisUrl(): string {
  const url = inject('redisUrl');
  if (url === undefined) throw new MissingProgram('redis-server');
  return url;
}

/** For a service that counts in the run's Redis, which is never down but may answer late. */
export const patientRedisTimeouts = { commandMs: 30_000, connectMs: 30_000, silentMs: 30_000 };
