import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from './process.ts';
import { RESULTS_FILE } from './results.ts';

const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const reporter = join(import.meta.dirname, 'reporter.ts');

/** Runs these test files with the reporter and returns the last line. */
function lastLine(files: Record<string, string>, config = ''): Promise<{ line: string; failed: boolean }> {
  const folder = tempDir('reporter');
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(
      join(folder, name),
      `import { beforeAll, describe, expect, test } from ${imported};\n${text}`,
    );
  }
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { test: { reporters: [${JSON.stringify(reporter)}], ${config} } };`,
  );
  // Keep these results out of the surrounding run's file.
  const { [RESULTS_FILE]: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [vitest, 'run', '--root', folder], { env }, (error, stdout) =>
      resolve({ line: stdout.trimEnd().split('\n').at(-1) ?? '', failed: error !== null }),
    );
  });
}

const imported = JSON.stringify(join(import.meta.dirname, '../node_modules/vitest/dist/index.js'));

test('when all pass, then the last line counts them', async () => {
  const files = { 'a.test.js': "test('x', () => {}); test('y', () => {});" };
  expect(await lastLine(files)).toEqual({ line: '2 passed, 0 failed', failed: false });
});

test('when tests fail, are skipped, or a file or a hook breaks, then each is counted', async () => {
  const files = {
    'a.test.js': "test('x', () => {}); test('y', () => expect(1).toBe(2)); test.skip('z', () => {});",
    'broken.test.js': "throw new Error('does not load');",
    'hook.test.js':
      "describe('s', () => { beforeAll(() => { throw new Error('hook'); }); test('t', () => {}); });",
  };
  expect(await lastLine(files)).toEqual({ line: '1 passed, 3 failed, 2 skipped', failed: true });
});

test('when an error escapes the tests, then it counts as failed', async () => {
  const files = { 'a.test.js': "test('x', () => { Promise.reject(new Error('escaped')); });" };
  expect(await lastLine(files)).toEqual({ line: '1 passed, 1 failed', failed: true });
});

test('when the run cannot even start, then it does not look like success', async () => {
  const result = await lastLine({ 'a.test.js': "test('x', () => {});" }, "globalSetup: './missing.js'");
  expect(result).toEqual({ line: '0 passed, 1 failed', failed: true });
});
