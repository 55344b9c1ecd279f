import { routes } from '@gatehouse/contract/player';
import { expect, test } from 'vitest';
import { issuesOf } from '../forms/validation.ts';
import { describeDevice } from '../ui/device.ts';

const mozilla = 'Mozilla/5.0';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

test.each([
  [
    `${mozilla} (Linux; Android 14; Redmi Note 13 Build/UP1A) ${chrome} Mobile Safari/537.36`,
    { device: 'Redmi Note 13', os: 'Android 14', browse: 'Chrome 140' },
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1`,
    { device: 'iPhone', os: 'iOS 18.2', browse: 'Safari 18' },
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`,
    { device: 'desktop', os: 'Windows', browse: 'Edge 140' },
  ],
  [
    `${mozilla} (Linux; Android 13; V2241A; wv) ${chrome} Mobile Safari/537.36 MicroMessenger/8.0.50`,
    { device: 'V2241A', os: 'Android 13', browse: 'WeChat 8' },
  ],
  ['', { device: 'desktop', os: '', browse: '' }],
])('when the user agent is %j, then it is described as %j', (userAgent, described) => {
  expect(describeDevice(userAgent)).toEqual(described);
});

test('when a Mac has a touch screen, then it is an iPad', () => {
  const userAgent = `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`;
  expect(describeDevice(userAgent, 5)).toMatchObject({ device: 'iPad', os: 'iPadOS' });
  expect(describeDevice(userAgent, 0)).toMatchObject({ device: 'desktop', os: 'macOS' });
});

test('when a user agent is extremely long, then the description still fits the contract', () => {
  const described = describeDevice(`(Linux; Android 14; ${'x'.repeat(5000)}) Chrome/1`);
  expect(issuesOf({ properties: routes.register.body.properties }, { ...described })).toEqual({});
});
