import { expect, test } from 'vitest';
import { parseRedisUrl } from './redis-url.ts';

test('when one server is named, then it is used', () => {
  expect(parseRedisUrl('redis://10.0.0.30')).toEqual({ host: '10.0.0.30', port: 6379, db: 0 });
  expect(parseRedisUrl('rediss://us%40er:s%2Fecret@cache:6380/2')).toEqual({
    username: 'us@er',
    password: 's/ecret',
    tls: {},
    host: 'cache',
    port: 6380,
    db: 2,
  });
  expect(parseRedisUrl('redis://:secret@[::1]:6379')).toEqual({
    password: 'secret',
    host: '::1',
    port: 6379,
    db: 0,
  });
});

test('when Sentinels are named, then they determine the master', () => {
  expect(parseRedisUrl('redis+sentinel://:secret@a,b:26380,[::1]:26381/throttle')).toEqual({
    password: 'secret',
    sentinels: [
      { host: 'a', port: 26379 },
      { host: 'b', port: 26380 },
      { host: '::1', port: 26381 },
    ],
    name: 'throttle',
  });
});

test.each([
  'redis://',
  'redis://a,b',
  'redis://a/name',
  'redis+sentinel://a,b',
  'redis+sentinel://a,/name',
  'redis://a:port',
  'http://a',
])('when the address is %s, then it is refused', (url) => {
  expect(parseRedisUrl(url)).toBeUndefined();
});
