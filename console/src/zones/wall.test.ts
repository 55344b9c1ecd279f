import type { AdminZone } from '@gatehouse/contract/admin';
import { expect, test } from 'vitest';
import { isDown, wallOf } from './wall.ts';

const zone = (server_id: number, more: Partial<AdminZone> = {}): AdminZone => ({
  server_id,
  name: `zone ${server_id}`,
  address: 'a',
  port: 1,
  status: 'open',
  sort: 0,
  opened_at: null,
  message: null,
  gm_url: null,
  database_url: null,
  merged_into: null,
  maintenance_until: null,
  online: true,
  entries_today: 0,
  withdrawals_unknown: 0,
  ...more,
});

test('when some zones need attention, then they come first', () => {
  const zones = [zone(3), zone(1), zone(9, { withdrawals_unknown: 1 }), zone(5, { online: false })];
  zones.push(zone(7, { gm_failing_since: '2026-11-16T08:00:00.000Z' }));
  expect(wallOf(zones, { show: '', q: '' }).map(({ server_id }) => server_id)).toEqual([5, 7, 9, 1, 3]);
});

test('when a zone is in maintenance, closed or merged, then it is not down', () => {
  expect(isDown(zone(1, { online: false }))).toBe(true);
  for (const more of [
    { status: 'maintenance' },
    { status: 'closed' },
    { merged_into: 2 },
    { online: null },
  ] as const)
    expect(isDown(zone(1, { online: false, ...more }))).toBe(false);
});

test('when zones are filtered, then they match by state and by name or number', () => {
  const zones = [zone(1), zone(12, { status: 'maintenance' }), zone(2, { name: '玄武门' })];
  expect(wallOf(zones, { show: 'maintenance', q: '' })).toHaveLength(1);
  expect(wallOf(zones, { show: '', q: '玄武' }).map(({ server_id }) => server_id)).toEqual([2]);
  expect(wallOf(zones, { show: 'nonsense', q: '' })).toHaveLength(3);
});
