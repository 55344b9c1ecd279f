import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

/** Seconds per file on two cores, measured by `npm test -- --save-times`. */
export const fileTimes: Readonly<Record<string, number>> = times;

/**
 * Starts the slowest files first, across projects: a slow file that starts last leaves every other worker idle. Vitest itself
 * goes by project and file size.
 */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}

/** An unmeasured file may be slow. */
function secondsOf({ moduleId }: TestSpecification): number {
  return fileTimes[relative(root, moduleId)] ?? 5;
}
