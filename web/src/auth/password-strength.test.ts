import { expect, test } from 'vitest';
import { strengthOf } from './password-strength.ts';

test.each([
  ['short1!', 'weak'],
  ['aaaaaaaaaaaa', 'weak'],
  ['1234567890', 'weak'],
  ['xxli_baixx', 'weak'],
  ['moonlight', 'weak'],
  ['moonlight7', 'fair'],
  ['Moonlight-42', 'strong'],
  ['床前明月光疑是地上霜举头望明月低头', 'strong'],
])('when %j is typed, then the hint says %s', (password, strength) => {
  expect(strengthOf(password, 'li_bai')).toBe(strength);
});
