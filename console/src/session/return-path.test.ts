import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/login?x', '', undefined, ['/a']])(
  'when the return path is %j, then the login leads to the overview',
  (wanted) => {
    expect(returnPath(wanted)).toBe('/');
  },
);

test('when the return path is a page of the console, then the login leads there, filters included', () => {
  expect(returnPath('/withdrawals?state=unknown')).toBe('/withdrawals?state=unknown');
});
