import { expect, test } from 'vitest';
import { randomId } from './random-id.ts';

test('when more ids are drawn than one batch has, then each is a unique random UUID', () => {
  const ids = Array.from({ length: 1000 }, randomId);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  // Every random digit takes every value.
  const random = [...Array(36).keys()].filter((place) => ![8, 13, 14, 18, 19, 23].includes(place));
  for (const place of random) expect(new Set(ids.map((id) => id[place])).size).toBe(16);
});
