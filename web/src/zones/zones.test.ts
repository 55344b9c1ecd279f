import type { ListedZone } from '@gatehouse/contract/player';
import { expect, test } from 'vitest';
import { canEnter, clock, recommended, reopensAt, searchZones, sortZones } from './zones.ts';

const zone = (
  server_id: number,
  status: ListedZone['status'],
  opened_at: string | null = null,
): ListedZone => ({
  server_id,
  name: `区服 ${server_id}`,
  address: '127.0.0.1',
  port: 7000,
  status,
  opened_at,
});
const ids = (zones: ListedZone[]) => zones.map(({ server_id }) => server_id);

test('when a zone was used before, then it comes first, the recommended one next, the rest as listed', () => {
  const list = [zone(1, 'open'), zone(2, 'busy'), zone(3, 'new'), zone(4, 'full')];
  expect(ids(sortZones(list, 4))).toEqual([4, 3, 1, 2]);
  expect(ids(sortZones(list, null))).toEqual([3, 1, 2, 4]);
});

test('when a new zone is not open yet, then it is not recommended and cannot be entered', () => {
  const soon = zone(2, 'new', '2099-01-01T00:00:00.000Z');
  expect(canEnter(soon)).toBe(false);
  expect(recommended([soon, zone(1, 'busy')])?.server_id).toBe(1);
});

test('when two zones are new, then the newer one is recommended', () => {
  const list = [zone(1, 'new', '2026-01-01T00:00:00.000Z'), zone(2, 'new', '2026-03-01T00:00:00.000Z')];
  expect(recommended(list)?.server_id).toBe(2);
});

test('when nothing can be entered, then nothing is recommended', () => {
  expect(recommended([zone(1, 'maintenance')])).toBeUndefined();
  expect(recommended([{ ...zone(2, 'open'), up: false }])).toBeUndefined();
});

test('when a player searches, then names and numbers match in any spelling', () => {
  const list = [{ ...zone(12, 'open'), name: 'Phoenix' }, zone(3, 'open')];
  expect(ids(searchZones(list, ' phoe '))).toEqual([12]);
  expect(ids(searchZones(list, '3'))).toEqual([3]);
  expect(ids(searchZones(list, ''))).toEqual([12, 3]);
});

test('when a zone opens later or its maintenance has an end, then that is when it reopens', () => {
  const soon = '2099-01-01T00:00:00.000Z';
  expect(reopensAt(zone(1, 'new', soon))).toBe(soon);
  expect(reopensAt({ ...zone(1, 'maintenance'), maintenance_until: soon })).toBe(soon);
  expect(reopensAt(zone(1, 'maintenance'))).toBeUndefined();
  expect(reopensAt(zone(1, 'open', '2026-01-01T00:00:00.000Z'))).toBeUndefined();
  expect([clock(3723), clock(9)]).toEqual(['1:02:03', '0:00:09']);
});
