import { globSync } from 'node:fs';
import { fileTimes } from '../../test-support/sequencer.ts';
import { root } from './vitest.ts';

/** Prints the files of both tiers with the time each was measured to take on two cores. */
export function listTiers(): void {
  const files = globSync(
    '{contract,client,server,simulators,playground,bench,scripts,test-support,web,console}/**/*.test.ts',
    {
      cwd: root,
      exclude: ['**/node_modules', '**/dist'],
    },
  );
  const isSlow = (file: string) => file.endsWith('.slow.test.ts');
  printTier(
    'First tier (npm test)',
    files.filter((file) => !isSlow(file) && !file.endsWith('.long.test.ts')),
  );
  printTier('Slow tier (npm run test:slow)', files.filter(isSlow));
}

function printTier(title: string, files: readonly string[]): void {
  const seconds = files.reduce((sum, file) => sum + (fileTimes[file] ?? 0), 0);
  console.log(`${title}: ${files.length} files, ${Math.round(seconds)} s of tests on three workers`);
  for (const file of files.toSorted((a, b) => (fileTimes[b] ?? 0) - (fileTimes[a] ?? 0)))
    console.log(`${fileTimes[file]?.toFixed(1).padStart(7) ?? '      ?'} s  ${file}`);
  console.log();
}
