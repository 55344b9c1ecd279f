import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { fileTimes, Shuffled, SlowestFirst } from './sequencer.ts';

const root = join(import.meta.dirname, '..');

function specification(file: string, project: string): TestSpecification {
  const config = { isolate: true, sequence: { groupOrder: 0 } };
  return { moduleId: join(root, file), project: { name: project, config } } as TestSpecification;
}

test('when files are sorted, then the project with the slowest file comes first, and in it the slowest file', async () => {
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

test('when files are shuffled, then a seed gives one order, another seed another, and projects stay together', async () => {
  const files = Array.from({ length: 20 }, (_, index) =>
    specification(`test-${index}.ts`, index % 2 === 0 ? 'node' : 'web'),
  );
  const orderOf = async (seed: number) => {
    const sorted = await new Shuffled({ config: { sequence: { seed } } } as Vitest).sort(files);
    return sorted.map(({ project, moduleId }) => `${project.name} ${moduleId}`);
  };
  const order = await orderOf(1);
  expect(await orderOf(1)).toEqual(order);
  expect(await orderOf(2)).not.toEqual(order);
  expect(new Set(order).size).toBe(20);
  expect(new Set(order.slice(0, 10).map((name) => name.split(' ')[0])).size).toBe(1);
});

test('when the time of a file is stored, then the file exists', () => {
  expect(Object.keys(fileTimes).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
