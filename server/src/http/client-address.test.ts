import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressList } from '../security/addresses.ts';
import { clientOf } from './client-address.ts';

const trusted = addressList(['127.0.0.1', '::1', '10.244.0.0/16']);

function callerOf(remoteAddress: string, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return clientOf({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, trusted);
}

test('when a trusted proxy on another machine reports loopback, then the caller gets no loopback privileges', () => {
  for (const loopback of [
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    '::ffff:127.0.0.1',
    '[::1]:8080',
    '::1, 10.244.1.2',
  ])
    expect({ loopback, ...callerOf('10.244.3.4', loopback) }).toMatchObject({ loopback, direct: false });
  expect(callerOf('::ffff:10.244.3.4', '127.0.0.1').direct).toBe(false);
  expect(callerOf('10.244.3.4', '203.0.113.7')).toEqual({ address: '203.0.113.7', direct: true });
});

test('when a proxy on this machine reports loopback, then the caller is a program on this machine', () => {
  for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(callerOf(peer, '127.0.0.1')).toEqual({ address: '127.0.0.1', direct: true });
  expect(callerOf('127.0.0.1')).toEqual({ address: '127.0.0.1', direct: true });
});
