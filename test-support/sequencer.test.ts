import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import SlowestFirst, { fileTimes } from './sequencer.ts';

const root = join(import.meta.dirname, '..');

function specification(file: string, project: string): TestSpecification {
  const config = { isolate: true, sequence: { groupOrder: 0 } };
  return { moduleId: join(root, file), project: { name: project, config } } as TestSpecification;
}

test('when files are put in order, then the project with the slowest file comes first, and its slowest file', async () => {
  const cache = { getTestSpecificationResult: () => undefined };
  const sequencer = new SlowestFirst({ cache } as unknown as Vitest);
  const files = Object.keys(fileTimes);
  const [slowest = '', second = '', third = ''] = files;
  const quickest = files.at(-1) ?? '';
  const sorted = await sequencer.sort([
    specification(quickest, 'node'),
    specification(second, 'web'),
    specification(third, 'node'),
    specification(slowest, 'node'),
  ]);
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
    [slowest, third, quickest, second].map((file) => join(root, file)),
  );
});

test('when the time of a file is kept, then the file exists', () => {
  expect(Object.keys(fileTimes).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
