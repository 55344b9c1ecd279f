import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

/** Seconds per file on two cores, as `npm test -- --save-times` measured them. */
export const fileTimes: Readonly<Record<string, number>> = times;

/**
 * Starts the slowest files first, whichever project they belong to: one that starts last leaves every other worker idle.
 * Vitest itself goes project by project and by file size.
 */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}

/** A file that was never measured may be slow. */
function secondsOf({ moduleId }: TestSpecification): number {
  return fileTimes[relative(root, moduleId)] ?? 5;
}
