import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, steps, stepsFor } from './page.ts';

const root = resolve(import.meta.dirname, '../..');

test('when the install page is followed, then every block is one step, each step exists once, and every replaced command has a reason', () => {
  const blocks = blocksOf(readFileSync(join(root, 'docs/install.md'), 'utf8'));
  const named = blocks.map((block) => ({
    text: block.text,
    steps: stepsFor(block).map(({ name }) => name),
  }));
  expect(named.filter(({ steps }) => steps.length !== 1)).toEqual([]);
  expect(named.flatMap(({ steps }) => steps)).toEqual(steps.map(({ name }) => name));
  const secrets = { database: 'd', games: 'g', mail: 'm', passwordKey: 'p', jwtSecret: 'j' };
  for (const block of blocks)
    for (const { adapt, replaced, how } of stepsFor(block)) {
      const adapted = adapt?.(block.text, secrets) ?? block.text;
      expect(adapted !== block.text || how === 'other way').toBe(replaced !== undefined);
      expect(adapted).not.toMatch(/…|<[a-z]/);
    }
});
