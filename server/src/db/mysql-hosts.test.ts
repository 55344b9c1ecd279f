import { expect, test } from 'vitest';
import { trackHosts } from './mysql-hosts.ts';

function tracked(count: number) {
  let now = 0;
  const hosts = trackHosts(count, () => now);
  return {
    hosts,
    present: () => hosts.present().host,
    later(ms: number) {
      now += ms;
    },
  };
}

test('when a host falls ill, then the next that is well takes over', () => {
  const { hosts, present } = tracked(3);
  const origin = hosts.present();
  hosts.saw(1, false);
  hosts.saw(0, false);
  expect(present()).toBe(2);
  expect(hosts.isPresent(origin)).toBe(false);
});

test('when the first host is well again, then it is taken back after a while', () => {
  const { hosts, present, later } = tracked(3);
  hosts.saw(0, false);
  hosts.saw(0, true);
  expect(present()).toBe(1);
  later(1999);
  hosts.saw(0, true);
  expect(present()).toBe(1);
  later(1);
  hosts.saw(0, true);
  expect(present()).toBe(0);
});

test('when a host stumbles again, then the wait begins anew', () => {
  const { hosts, present, later } = tracked(2);
  hosts.saw(0, false);
  hosts.saw(0, true);
  later(1500);
  hosts.saw(0, false);
  hosts.saw(0, true);
  later(1500);
  hosts.saw(0, true);
  expect(present()).toBe(1);
});

test('when many connections of one host break, then it is left once', () => {
  const { hosts, present } = tracked(3);
  const origin = hosts.present();
  hosts.leave(origin);
  hosts.leave(origin);
  expect(present()).toBe(1);
});

test('when no host is well, then they are tried in turn, and the first that recovers is used at once', () => {
  const { hosts, present } = tracked(3);
  for (const host of [0, 1, 2]) hosts.saw(host, false);
  const tried = new Set<number>();
  for (let turn = 0; turn < 3; turn++) {
    tried.add(present());
    hosts.leave(hosts.present());
  }
  expect(tried.size).toBe(3);
  hosts.saw(2, true);
  expect(present()).toBe(2);
});

test('when there is one host, then it is always the one', () => {
  const { hosts, present } = tracked(1);
  const origin = hosts.present();
  hosts.leave(origin);
  expect(present()).toBe(0);
  expect(hosts.isPresent(origin)).toBe(false);
  expect(hosts.isPresent(hosts.present())).toBe(true);
});
