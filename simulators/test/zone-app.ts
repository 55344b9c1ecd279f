import { onTestFinished } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { startZone, type Zone, type ZoneOptions } from '../src/zone/zone.ts';

export type GmReply = { result: number; msg?: string; balance?: number; order?: string };

/** A zone that stops with the test, on its own SQLite file by default. */
export async function openZone(options: Partial<ZoneOptions> = {}): Promise<Zone> {
  const zone = await startZone({ serverId: 1, database: `sqlite:${tempDir('zone')}`, ...options });
  onTestFinished(() => zone.stop());
  return zone;
}

/** The zone with one role that has a balance of 1,000. */
export async function openZoneWithHero(options: Partial<ZoneOptions> = {}) {
  const zone = await openZone(options);
  const hero = await zone.addRole({ account: 'alice', name: '战神', level: 42, balance: 1_000 });
  return { zone, hero };
}

export function deduction(zone: Zone, fields: Record<string, string | number>): Record<string, string> {
  const params = {
    operid: 10030,
    serverid: zone.serverId,
    rolename: '',
    order: 'w1',
    amount: 100,
    ...fields,
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

export const gmUrl = (zone: Zone, params: Record<string, string>) =>
  `${zone.gmUrl}?${new URLSearchParams(params)}`;

export async function askGm(zone: Zone, params: Record<string, string>): Promise<GmReply> {
  const response = await fetch(gmUrl(zone, params));
  return (await response.json()) as GmReply;
}

export const deduct = (zone: Zone, fields: Record<string, string | number>): Promise<GmReply> =>
  askGm(zone, deduction(zone, fields));
