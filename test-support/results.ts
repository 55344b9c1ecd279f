import { readFileSync } from 'node:fs';

/** Results of a vitest run: written by the reporter, read by `scripts/test.ts`. */
export interface RunResults {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** How many tests needed each program that cannot be installed here. */
  readonly notTried: Readonly<Record<string, number>>;
  readonly files: readonly FileResult[];
}

export interface Failure {
  /** Relative to the repository; undefined if the error belongs to no file. */
  readonly file: string | undefined;
  readonly name: string;
  readonly error: string;
}

export interface FileResult {
  readonly file: string;
  readonly project: string;
  readonly tests: number;
  readonly seconds: number;
}

/** Environment variable with the path of the file to write. */
export const RESULTS_FILE = 'TEST_RESULTS';

/** Returns undefined if the run ended before it had any results. */
export function readResults(file: string): RunResults | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export function summaryLine({
  passed,
  failed,
  skipped = 0,
}: Record<'passed' | 'failed', number> & { skipped?: number }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
