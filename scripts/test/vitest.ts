import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { tempDir } from '../../test-support/process.ts';
import { RESULTS_FILE, type RunResults, readResults } from '../../test-support/results.ts';

export const root = join(import.meta.dirname, '../..');

export type Tier = 'first' | 'slow';

export interface VitestRun {
  readonly tier: Tier;
  /** Parts of the paths of the test files to run; all of the tier's if empty. */
  readonly filters: readonly string[];
  /** Programs that cannot be installed here; tests that need one are counted as not tried. */
  readonly without: readonly string[];
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs vitest to its end. Returns undefined if it ended without results. */
export async function runVitest({
  tier,
  filters,
  without,
  args = [],
  env,
}: VitestRun): Promise<RunResults | undefined> {
  const results = join(tempDir('results'), 'results.json');
  await runToEnd(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...filters, ...args],
    {
      TEST_TIER: tier,
      TEST_WITHOUT: without.join(','),
      [RESULTS_FILE]: results,
      ...env,
    },
  );
  return readResults(results);
}

/** Runs a command to its end. Returns the exit status. */
export function runToEnd(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  // The run creates its own folder for what the tests write.
  const { TEST_RUN_FOLDER: _, ...inherited } = process.env;
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...inherited, ...env } });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
