import { expect, test } from 'vitest';
import { maskUrl } from './mask-url.ts';

test.each([
  ['mysql://game:pa@ss/w?rd@db1:3306,db2:3306/actors', 'mysql://game:***@db1:3306,db2:3306/actors'],
  ['http://token@gm.example/command', 'http://***@gm.example/command'],
  [
    'http://gm.example:8080/command?key=abc&server=1#x',
    'http://gm.example:8080/command?key=***&server=***#x',
  ],
  ['http://gm.example:8080/command', 'http://gm.example:8080/command'],
  ['sqlite:data/zone.db', 'sqlite:data/zone.db'],
])('when %s is shown, then nothing secret stands in it', (url, shown) => {
  expect(maskUrl(url)).toBe(shown);
});
