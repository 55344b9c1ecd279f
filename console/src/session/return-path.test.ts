import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/login?x', '', undefined, ['/a']])(
  'when a login is to lead to %j, then it leads to the overview',
  (wanted) => {
    expect(returnPath(wanted)).toBe('/');
  },
);

test('when a login is to lead to a page of the console, then it does, filters included', () => {
  expect(returnPath('/withdrawals?state=unknown')).toBe('/withdrawals?state=unknown');
});
