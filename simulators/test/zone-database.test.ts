import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { startMariadb } from '../../test-support/mariadb.ts';
import { tempDir } from '../../test-support/process.ts';
import { sharedMariadbUrl } from '../../test-support/shared-servers.ts';
import { startZone, type Zone } from '../src/zone/zone.ts';
import { deduct, openZone, openZoneWithHero } from './zone-app.ts';

type Place = { database: string; serverId: number };

/** Reads the game database as Gatehouse does: from outside, over its own connection. */
async function readActors({ database, serverId }: Place): Promise<Record<string, unknown>[]> {
  const name = `mir_actor_s${serverId}`;
  const sql = 'SELECT * FROM actors ORDER BY actorid';
  if (database.startsWith('sqlite:')) {
    const file = join(database.slice('sqlite:'.length), `${name}.db`);
    using reader = new DatabaseSync(file, { readOnly: true });
    return reader.prepare(sql).all();
  }
  const connection = await createConnection({ uri: `${database}/${name}`, dateStrings: true });
  try {
    const [rows] = await connection.query(sql);
    return rows as Record<string, unknown>[];
  } finally {
    await connection.end();
  }
}

const savedBalance = async (place: Place) => (await readActors(place))[0]?.nonbindyuanbao;

describeOnEngines('the game database of a zone', (engine) => {
  const newPlace = (): Place =>
    engine.name === 'sqlite'
      ? { database: `sqlite:${tempDir('zone')}`, serverId: 1 }
      : { database: sharedMariadbUrl(), serverId: randomInt(1, 2 ** 31) };

  test('when a role is added, then it is in actors as a game writes it', async () => {
    const place = newPlace();
    const { hero } = await openZoneWithHero({ ...place, saveInterval: 600 });
    expect(await readActors(place)).toMatchObject([
      {
        actorid: hero.id,
        actorname: '战神',
        accountname: 'alice',
        serverindex: place.serverId,
        level: 42,
        job: 0,
        sex: 0,
        nonbindyuanbao: 1_000,
        bindyuanbao: 0,
        nonbindcoin: 0,
        status: 4,
        createtime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        updatetime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    ]);
  });

  test('when the zone saves immediately, then a deduction is in actors before it is answered', async () => {
    const place = newPlace();
    const { zone, hero } = await openZoneWithHero({ ...place, saveInterval: 0 });
    await deduct(zone, { roleid: hero.id });
    expect(await savedBalance(place)).toBe(900);
    await zone.setBalance(hero.id, 5_000_000_000);
    expect(await savedBalance(place)).toBe(5_000_000_000);
  });

  test('when the zone saves periodically, then actors lags behind the live state until the save', async () => {
    const place = newPlace();
    const { zone, hero } = await openZoneWithHero({ ...place, saveInterval: 600 });
    await deduct(zone, { roleid: hero.id });
    await zone.earn(hero.id, 50);
    await zone.addRole({ account: 'bob', name: 'Bystander' });
    expect(zone.balance(hero.id)).toBe(950);
    expect(zone.saving()).toEqual({ unsaved: 1, lastError: null });
    expect(await savedBalance(place)).toBe(1_000);
    await zone.save();
    expect(await savedBalance(place)).toBe(950);
    expect(zone.saving().unsaved).toBe(0);
  });

  test('when the save interval passes, then the zone saves', async () => {
    const place = newPlace();
    const { zone, hero } = await openZoneWithHero({ ...place, saveInterval: 1 });
    await deduct(zone, { roleid: hero.id });
    await expect.poll(() => savedBalance(place)).toBe(900);
  });

  test('when the zone stops and starts again, then it has its roles', async () => {
    const place = newPlace();
    const before = await startZone({ ...place, saveInterval: 600 });
    const hero = await before.addRole({ account: 'alice', name: '战神', level: 42, balance: 1_000 });
    await deduct(before, { roleid: hero.id });
    await before.stop();
    const zone = await openZone(place);
    const createdAt = Math.floor(hero.createdAt / 1_000) * 1_000;
    expect(zone.roles()).toEqual([{ ...hero, balance: 900, createdAt }]);
  });

  test('when there is a journal, then it takes precedence over what the game had saved', async () => {
    const place = newPlace();
    const journal = join(tempDir('journal'), 'zone.jsonl');
    const { zone: crashed, hero } = await openZoneWithHero({ ...place, saveInterval: 600, journal });
    await deduct(crashed, { roleid: hero.id });
    const zone: Zone = await openZone({ ...place, saveInterval: 600, journal, duplicates: 'refuse' });
    expect(await savedBalance(place)).toBe(1_000);
    expect(zone.balance(hero.id)).toBe(900);
    expect(zone.journal()).toEqual(crashed.journal());
    expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 7 });
  });
});

test('when the game database is down, then deductions continue and are saved once it is back', async () => {
  const mariadb = await startMariadb();
  onTestFinished(() => mariadb.kill());
  const place = { database: mariadb.url, serverId: 3 };
  const { zone, hero } = await openZoneWithHero({ ...place, saveInterval: 0 });
  await mariadb.kill();
  expect(await deduct(zone, { roleid: hero.id })).toMatchObject({ result: 0, balance: 900 });
  expect(zone.saving()).toEqual({ unsaved: 1, lastError: expect.any(String) });
  await expect(zone.save()).rejects.toThrow();
  await mariadb.restart();
  await expect.poll(() => savedBalance(place)).toBe(900);
});

test('when the database is of an unknown engine, then the zone does not start', async () => {
  await expect(startZone({ serverId: 1, database: 'postgres://x' })).rejects.toThrow('sqlite:FOLDER');
  await expect(startZone({ serverId: 0, database: `sqlite:${tempDir('zone')}` })).rejects.toThrow(
    'server id',
  );
});
