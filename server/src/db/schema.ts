import type { AccountTables } from './schema/accounts.ts';
import type { GameTables } from './schema/games.ts';
import type { OperationTables } from './schema/operations.ts';

/** Times are milliseconds since 1970 UTC. `Generated` marks columns that the database fills in. */
export interface Database extends AccountTables, GameTables, OperationTables {}
