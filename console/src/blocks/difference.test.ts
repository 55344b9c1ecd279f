import { expect, test } from 'vitest';
import { differenceOf } from './difference.ts';

test('when a change has fields before and after, then each changed field is one line, and unchanged ones are left out', () => {
  expect(differenceOf({ status: 'open', port: 1 }, { status: 'maintenance', port: 1, message: 'x' })).toEqual(
    [
      { field: 'status', from: 'open', to: 'maintenance' },
      { field: 'message', from: undefined, to: 'x' },
    ],
  );
});

test('when a value is nested, null or a list, then it is still one readable line', () => {
  expect(differenceOf({ a: { b: null }, zones: [1, 2] }, { a: { b: true }, zones: [] })).toEqual([
    { field: 'a.b', from: '∅', to: 'true' },
    { field: 'zones', from: '1, 2', to: '[]' },
  ]);
  expect(differenceOf(null, null)).toEqual([]);
});
