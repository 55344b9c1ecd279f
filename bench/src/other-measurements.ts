import { measureImport } from './import.ts';
import type { Measurement } from './measurement.ts';
import { measureMemory } from './memory.ts';
import { measureStart } from './start.ts';
import { measureWorkers } from './workers.ts';

/** Measurements other than rates. */
export const measurements: readonly Measurement[] = [
  { name: 'start', run: measureStart },
  { name: 'memory', run: measureMemory },
  { name: 'workers', run: measureWorkers },
  { name: 'import', run: measureImport },
];
