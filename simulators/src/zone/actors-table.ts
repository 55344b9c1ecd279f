import type { Role } from './ledger.ts';

/** The game database, which lags behind the live state by up to one save interval. */
export type ActorsTable = {
  load: () => Promise<Role[]>;
  save: (roles: readonly Role[]) => Promise<void>;
  remove: (roleId: number) => Promise<void>;
  close: () => Promise<void>;
};
