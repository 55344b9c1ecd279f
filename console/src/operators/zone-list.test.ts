import { expect, test } from 'vitest';
import { zonesIn } from './zone-list.ts';

test.each([
  ['', null],
  ['  ', null],
  ['1, 2, 5-9', [1, 2, 5, 6, 7, 8, 9]],
  ['3，1、3', [1, 3]],
  ['7-5', []],
  ['x', []],
])('when %j is entered, then it is parsed as %j', (text, zones) => {
  expect(zonesIn(text)).toEqual(zones);
});
