import { expect, test } from 'vitest';
import { trackHosts } from './mysql-hosts.ts';

function tracked(count: number) {
  let now = 0;
  const hosts = trackHosts(count, () => now);
  return {
    hosts,
    current: () => hosts.current().host,
    later(ms: number) {
      now += ms;
    },
  };
}

test('when a host becomes unhealthy, then the next healthy one takes over', () => {
  const { hosts, current } = tracked(3);
  const origin = hosts.current();
  hosts.reportHealth(1, false);
  hosts.reportHealth(0, false);
  expect(current()).toBe(2);
  expect(hosts.isCurrent(origin)).toBe(false);
});

test('when the first host is healthy again, then it is used again after a while', () => {
  const { hosts, current, later } = tracked(3);
  hosts.reportHealth(0, false);
  hosts.reportHealth(0, true);
  expect(current()).toBe(1);
  later(1999);
  hosts.reportHealth(0, true);
  expect(current()).toBe(1);
  later(1);
  hosts.reportHealth(0, true);
  expect(current()).toBe(0);
});

test('when a host fails again, then the waiting time starts over', () => {
  const { hosts, current, later } = tracked(2);
  hosts.reportHealth(0, false);
  hosts.reportHealth(0, true);
  later(1500);
  hosts.reportHealth(0, false);
  hosts.reportHealth(0, true);
  later(1500);
  hosts.reportHealth(0, true);
  expect(current()).toBe(1);
});

test('when many connections of one host break, then it fails over once', () => {
  const { hosts, current } = tracked(3);
  const origin = hosts.current();
  hosts.markFailed(origin);
  hosts.markFailed(origin);
  expect(current()).toBe(1);
});

test('when no host is healthy, then each is tried, and the first that recovers is used immediately', () => {
  const { hosts, current } = tracked(3);
  for (const host of [0, 1, 2]) hosts.reportHealth(host, false);
  const tried = new Set<number>();
  for (let turn = 0; turn < 3; turn++) {
    tried.add(current());
    hosts.markFailed(hosts.current());
  }
  expect(tried.size).toBe(3);
  hosts.reportHealth(2, true);
  expect(current()).toBe(2);
});

test('when there is one host, then it is always used', () => {
  const { hosts, current } = tracked(1);
  const origin = hosts.current();
  hosts.markFailed(origin);
  expect(current()).toBe(0);
  expect(hosts.isCurrent(origin)).toBe(false);
  expect(hosts.isCurrent(hosts.current())).toBe(true);
});
