import { expect, test } from 'vitest';
import { maskUrl, unmaskUrl } from './masking.ts';

test.each([
  ['mysql://game:pa@ss/w?rd@db1:3306,db2:3306/actors', 'mysql://game:***@db1:3306,db2:3306/actors'],
  ['http://token@gm.example/command', 'http://***@gm.example/command'],
  [
    'http://gm.example:8080/command?key=abc&server=1#x',
    'http://gm.example:8080/command?key=***&server=***#x',
  ],
  ['http://gm.example:8080/command', 'http://gm.example:8080/command'],
  ['sqlite:data/zone.db', 'sqlite:data/zone.db'],
])('when %s is masked, then it contains no secret', (url, shown) => {
  expect(maskUrl(url)).toBe(shown);
});

const known = 'http://gm:pa@ss@gm.example:8080/command?key=abc&zone=1';

test.each([
  [maskUrl(known), known],
  [
    'http://gm:***@gm.example:8080/other?zone=***&more=2',
    'http://gm:pa@ss@gm.example:8080/other?zone=1&more=2',
  ],
  ['http://gm:new@elsewhere.example/', 'http://gm:new@elsewhere.example/'],
  ['http://gm:***@thief.example:8080/command?key=***', undefined],
  ['http://gm:***@gm.example:8081/command', undefined],
  ['http://thief:***@gm.example:8080/command', undefined],
  ['https://gm:***@gm.example:8080/command', undefined],
  ['http://gm:***@thief.example/@gm.example:8080/command', undefined],
  ['http://gm:***@gm.example:8080/command?unknown=***', undefined],
])('when %s is unmasked, then it is %s', (given, kept) => {
  expect(unmaskUrl(given, known)).toBe(kept);
  expect(unmaskUrl('http://a:***@b/', null)).toBeUndefined();
});
