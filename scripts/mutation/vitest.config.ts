import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fileTimes } from '../../test-support/sequencer.ts';

// Stryker's copy of the repository.
const root = process.cwd();
const secondsOf = ({ moduleId }: TestSpecification) => fileTimes[relative(root, moduleId)] ?? 0;

/** Most mutants are killed by a test that takes milliseconds, and the first failure ends the run. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => secondsOf(a) - secondsOf(b));
  }
}

/** Runs the test files in MUTATION_TESTS, one after another in one worker, on SQLite and with counters in memory. */
export default defineConfig({
  test: {
    root,
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    exclude: ['**/node_modules/**', '**/*.{slow,long}.test.ts'],
    globalSetup: './scripts/mutation/global-setup.ts',
    setupFiles: './test-support/between-files.ts',
    runner: './scripts/mutation/runner.ts',
    sequence: { sequencer: QuickestFirst },
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A mutant that never reaches the condition must not take long.
    expect: { poll: { timeout: 10_000 } },
  },
});
