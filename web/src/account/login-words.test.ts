import { expect, test } from 'vitest';
import { agentWords } from '../ui/device.ts';
import { shortAddress } from './login-words.ts';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome · Windows',
  ],
  ['curl/8.5.0', ''],
  ['', ''],
])('when the user agent is %j, then its owner reads %j', (userAgent, words) => {
  expect(agentWords(userAgent)).toBe(words);
});

test.each([
  ['203.0.113.77', '203.0.113.*'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:…'],
])('when the address is %s, then %s is shown', (address, short) => {
  expect(shortAddress(address)).toBe(short);
});
