import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

type Counts = { passed: number; failed: number; skipped: number };

/** Ends the run with one line that people and scripts can read: "N passed, N failed". */
export default class SummaryReporter implements Reporter {
  #counts: Counts | undefined;

  onInit(): void {
    // Tear-down still prints after the last test, so the line waits for the very end.
    process.once('exit', (code) => process.stdout.write(`${summaryLine(this.#counts, code)}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counts: Counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) count(module, counts);
    this.#counts = counts;
  }
}

function count(module: TestModule, counts: Counts): void {
  counts.failed += module.errors().length;
  for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    // A test that was never decided did not pass.
    counts[state === 'pending' ? 'failed' : state]++;
  }
}

export function summaryLine(counts: Counts | undefined, exitCode: number): string {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const failures = exitCode === 0 ? failed : Math.max(failed, 1);
  const line = `${passed} passed, ${failures} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
