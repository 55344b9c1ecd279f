import type { DatabaseServer, Environment } from './environment.ts';
import { measureImport } from './import.ts';
import { measureMemory } from './memory.ts';
import type { Options } from './options.ts';
import type { Remark } from './report.ts';
import { measureStart } from './start.ts';
import { measureWorkers } from './workers.ts';

export interface Place {
  readonly environment: Environment;
  readonly server: DatabaseServer;
  readonly options: Options;
}

export interface Measurement {
  readonly name: string;
  run(place: Place): Promise<Remark[]>;
}

/** What a table of rates does not tell. */
export const measurements: readonly Measurement[] = [
  { name: 'start', run: measureStart },
  { name: 'memory', run: measureMemory },
  { name: 'workers', run: measureWorkers },
  { name: 'import', run: measureImport },
];
