import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');

/** Seconds per file on two cores, measured by `npm test -- --save-times`. */
export const fileTimes: Readonly<Record<string, number>> = times;

/**
 * Runs one project after another: Vitest keeps a worker, and what it has imported, only if the next file belongs to the same
 * project.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...Map.groupBy(this.order(files), ({ project }) => project.name).values()].flat();
  }

  protected order(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/** The slowest files of a project run first, and the project with the quickest files last, so that no worker ends early. */
export class SlowestFirst extends ProjectByProject {
  protected override order(files: TestSpecification[]): TestSpecification[] {
    return files.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}

/** The order of `npm run test:shake`: the same for the same seed. */
export class Shuffled extends ProjectByProject {
  protected override order(files: TestSpecification[]): TestSpecification[] {
    const { seed } = this.ctx.config.sequence;
    const keyOf = ({ moduleId }: TestSpecification) =>
      createHash('sha256')
        .update(`${seed} ${relative(root, moduleId)}`)
        .digest('hex');
    const keys = new Map(files.map((file) => [file, keyOf(file)]));
    return files.toSorted((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1));
  }
}

/** An unmeasured file may be slow. */
function secondsOf({ moduleId }: TestSpecification): number {
  return fileTimes[relative(root, moduleId)] ?? 5;
}
