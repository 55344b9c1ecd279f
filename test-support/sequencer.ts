import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

/** Seconds per file on two cores, measured by `npm test -- --save-times`. */
export const fileTimes: Readonly<Record<string, number>> = times;

/**
 * Runs one project after another and each project's slowest files first: Vitest keeps a worker, and what it has imported, only if
 * the next file belongs to the same project. The project with the quickest files comes last, so that no worker ends early. Vitest
 * itself goes by file size.
 */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slowestFirst = (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
    return [...Map.groupBy(slowestFirst, ({ project }) => project.name).values()].flat();
  }
}

/** An unmeasured file may be slow. */
function secondsOf({ moduleId }: TestSpecification): number {
  return fileTimes[relative(root, moduleId)] ?? 5;
}
