import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import type { Zone } from '../src/zone/zone.ts';
import { deduct, openZone } from './zone-app.ts';

const named = (zone: Zone) => zone.roles().map(({ name, balance, origin }) => [name, balance, origin]);

test('when zones are merged one after the other, then roles keep the prefix of the zone they were made in', async () => {
  const zones = [await openZone(), await openZone({ serverId: 2 }), await openZone({ serverId: 3 })];
  const [a, b, c] = zones as [Zone, Zone, Zone];
  const hero = await a.addRole({ account: 'alice', name: '战神', balance: 10 });
  await b.addRole({ account: 'alice', name: '战神', balance: 20 });
  await b.absorb(a);
  await c.absorb(b);
  expect(named(c)).toEqual([
    ['s2.战神', 20, 2],
    ['s1.战神', 10, 1],
  ]);
  expect([a.roles(), b.roles()]).toEqual([[], []]);
  expect(await deduct(a, { roleid: hero.id, amount: 1 })).toMatchObject({ result: 4 });
  expect(await deduct(c, { roleid: hero.id, amount: 1 })).toMatchObject({ result: 0, balance: 9 });
});

test('when ids are taken, then a merge that keeps them is refused, and one that maps them gives new ones', async () => {
  const [a, b] = [await openZone({ serverId: 1 }), await openZone({ serverId: 1 })];
  const first = await a.addRole({ account: 'alice', name: 'Hero', balance: 10 });
  await b.addRole({ account: 'bob', name: 'Hero', balance: 20 });
  await expect(b.absorb(a)).rejects.toThrow('already in the zone');
  expect(named(a)).toEqual([['Hero', 10, 1]]);
  expect(await b.absorb(a, { ids: 'mapped', rename: 'taken', prefix: '[{server_id}]' })).toMatchObject([
    { from: first.id, role: { id: first.id + 1, name: '[1]Hero', balance: 10 } },
  ]);
});

test('when both zones start again from their journals, then the merge is preserved', async () => {
  const folder = tempDir('merged');
  const options = [1, 2].map((serverId) => ({
    serverId,
    database: `sqlite:${folder}`,
    journal: join(folder, `${serverId}.jsonl`),
  }));
  const [a, b] = (await Promise.all(options.map(openZone))) as [Zone, Zone];
  await a.addRole({ account: 'alice', name: 'Hero', balance: 10 });
  await b.absorb(a);
  await Promise.all([a.stop(), b.stop()]);
  const again = await Promise.all(options.map(openZone));
  expect(again.map(named)).toEqual([[], [['s1.Hero', 10, 1]]]);
});
