import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import SlowestFirst, { slowFiles } from './sequencer.ts';

function specification(moduleId: string, project: string): TestSpecification {
  const config = { isolate: true, sequence: { groupOrder: 0 } };
  return { moduleId, project: { name: project, config } } as TestSpecification;
}

test('when files are put in order, then the slowest come first, whichever project they belong to', async () => {
  const cache = { getTestSpecificationResult: () => undefined };
  const sequencer = new SlowestFirst({ cache } as unknown as Vitest);
  const quick = join(import.meta.dirname, 'redis.test.ts');
  const [slowest = '', second = ''] = slowFiles;
  const sorted = await sequencer.sort([
    specification(quick, 'node'),
    specification(second, 'node'),
    specification(slowest, 'web'),
  ]);
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual([slowest, second, quick]);
});

test('when a file is listed as slow, then it exists', () => {
  expect(slowFiles.filter((file) => !existsSync(file))).toEqual([]);
});
