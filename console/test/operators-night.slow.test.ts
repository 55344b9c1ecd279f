import { migrate } from '@gatehouse/server/db/migrate';
import { type Db, openDatabase } from '@gatehouse/server/db/open';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { consoleSuite } from './console-suite.ts';
import { button, countClicks, submitDialog } from './dialog.ts';

const ZONES = Array.from({ length: 10 }, (_, index) => index + 1);
const UNKNOWN = '00000000-0000-4000-8000-000000000001';

describeOnEngines('an operator’s night', (engine) => {
  const suite = consoleSuite({
    databaseUrl: engine.freshUrl,
    settings: { withdraw: { two_person_above: 100 }, time_zone: 'Asia/Shanghai' },
  });
  let db: Db;
  let boss: Page;
  let second: Page;
  let bossClicks: Awaited<ReturnType<typeof countClicks>>;

  beforeAll(async () => {
    db = await openDatabase(suite.databaseUrl());
    await migrate(db);
    const zones = ZONES.map((id) => ({
      server_id: id,
      name: `Gate ${id}`,
      address: '127.0.0.1',
      port: 7000 + id,
    }));
    await db.kysely.insertInto('server').values(zones).execute();
    const player = { account: 'night_owl', email: 'owl@example.com', ip: '203.0.113.77' };
    await db.kysely.insertInto('player').values(player).execute();
    await db.kysely
      .insertInto('withdraw')
      .values({
        id: UNKNOWN,
        player_id: 1,
        server_id: 1,
        role: '7',
        role_id: 7,
        role_name: 'Owl',
        amount: 500,
        state: 'unknown',
        open_key: '1:7',
      })
      .execute();
    boss = await suite.openAs('boss', 'admin');
    second = await suite.openAs('second', 'finance');
    bossClicks = await countClicks(boss);
  });
  afterAll(() => db?.close());

  test('when a player is found by address, then a ban until Friday ends on Friday', async () => {
    await boss.keyboard.press('Control+k');
    await boss.keyboard.type('203.0.113.77');
    await boss.getByRole('option', { name: /night_owl/ }).click();
    await boss.getByRole('heading', { name: 'night_owl' }).waitFor();
    await button(boss, 'Ban…').click();
    await boss.getByLabel('Duration').selectOption('at');
    await boss.locator('input[type=datetime-local]').fill('2099-05-01T20:00');
    await button(boss, 'Ban until 2099-05-01 20:00').waitFor();
    await submitDialog(boss, { reason: 'sells gold' }, 'night_owl has been banned.');
    const { banned_until } = await db.kysely
      .selectFrom('player')
      .select('banned_until')
      .where('account', '=', 'night_owl')
      .executeTakeFirstOrThrow();
    expect(new Date(banned_until ?? 0).toISOString()).toBe('2099-05-01T12:00:00.000Z');
  });

  test('when a player is found by search, then three clicks mute them for a time', async () => {
    await boss.goto(suite.url('/'));
    await boss.getByRole('heading', { name: 'Overview' }).waitFor();
    bossClicks.take();
    await boss.keyboard.press('Control+k');
    await boss.keyboard.type('owl@example.com');
    await boss.getByRole('option', { name: /night_owl/ }).click();
    await button(boss, 'Mute…').click();
    await submitDialog(boss, { reason: 'floods the chat' }, 'night_owl has been muted');
    expect(bossClicks.take()).toBeLessThanOrEqual(3);
    const { muted_until } = await db.kysely
      .selectFrom('player')
      .select('muted_until')
      .executeTakeFirstOrThrow();
    expect(Number(muted_until)).toBeGreaterThan(Date.now());
  });

  test('when a withdrawal is unknown, then two people settle it, and one of them alone cannot', async () => {
    const open = (page: Page) => page.locator('.queue').getByRole('link', { name: 'night_owl' }).click();
    await boss.goto(suite.url('/withdrawals'));
    bossClicks.take();
    await open(boss);
    await button(boss, 'It was not taken…').click();
    await submitDialog(boss, { reason: 'the game has no trace of it' }, 'Your proposal is saved');
    expect(bossClicks.take()).toBeLessThanOrEqual(3);
    await boss.getByText('Another operator must agree.').waitFor();
    const { state } = await db.kysely
      .selectFrom('withdraw')
      .select('state')
      .where('id', '=', UNKNOWN)
      .executeTakeFirstOrThrow();
    expect(state).toBe('unknown');

    await second.goto(suite.url('/withdrawals'));
    await second.getByText('Waiting for your agreement').waitFor();
    const secondClicks = await countClicks(second);
    await second.reload();
    await open(second);
    await second.getByText(/boss proposed at/).waitFor();
    await button(second, 'Agree: not taken…').click();
    await submitDialog(second, { reason: 'so say the game’s people' }, 'The withdrawal is settled.');
    expect(secondClicks.take()).toBeLessThanOrEqual(3);
    await second.getByText('failed').first().waitFor();
  });

  test('when ten zones go into maintenance with a message and an end, then they open again automatically', async () => {
    await boss.goto(suite.url('/zones'));
    bossClicks.take();
    await button(boss, 'Select all').click();
    await button(boss, 'Set status…').click();
    await submitDialog(boss, { message: 'new lanterns', reason: 'weekly' }, '10 set to maintenance.');
    expect(bossClicks.take()).toBeLessThanOrEqual(3);
    const ends = await db.kysely.selectFrom('server').select('maintenance_until').execute();
    expect(ends.every(({ maintenance_until }) => Number(maintenance_until) > Date.now())).toBe(true);
    const inMaintenance = boss.locator('.wall').getByText('maintenance', { exact: true });
    await expect.poll(() => inMaintenance.count()).toBe(10);
    // Move the end nearer instead of waiting two hours; everything else stays as set.
    await db.kysely
      .updateTable('server')
      .set(({ eb }) => ({ maintenance_until: eb(db.now, '+', 300) }))
      .execute();
    await expect
      .poll(
        async () => {
          await boss.getByRole('button', { name: 'Refresh' }).click();
          return inMaintenance.count();
        },
        { timeout: 30_000 },
      )
      .toBe(0);
    await boss.locator('.wall').getByText('open', { exact: true }).nth(9).waitFor();
  });

  const zoneName = async (id: number) => {
    const found = db.kysely.selectFrom('server').select('name').where('server_id', '=', id);
    return (await found.executeTakeFirstOrThrow()).name;
  };

  test('when two zones are merged, then a preview comes first, and the merged zone names its target', async () => {
    await boss.goto(suite.url('/zones'));
    bossClicks.take();
    await boss.getByRole('link', { name: /Gate 9/ }).click();
    await button(boss, 'Merge…').click();
    const dialog = boss.getByRole('dialog');
    await dialog.getByLabel('Into').selectOption('10');
    await dialog.getByText(/players last entered here/).waitFor();
    await dialog.locator('[name=reason]').fill('too few players');
    await dialog.locator('[name=zone_name]').fill('not its name');
    expect(await dialog.locator('button[type=submit]').isDisabled()).toBe(true);
    const fields = { zone_name: await zoneName(9), reason: 'too few players' };
    await submitDialog(boss, fields, 'The zones have been merged.');
    expect(bossClicks.take()).toBeLessThanOrEqual(4);
    await boss.getByText('merged into 10').first().waitFor();
  });

  test('when a block is denied for an hour, then it is listed until it is allowed again', async () => {
    await boss.goto(suite.url('/controls'));
    await button(boss, 'Deny addresses…').click();
    await boss.getByRole('dialog').getByLabel('Duration').selectOption('1');
    await submitDialog(
      boss,
      { entry: '198.51.100.0/24', reason: 'floods' },
      '198.51.100.0/24 is now denied.',
    );
    const denied = boss.getByRole('row', { name: /198\.51\.100\.0\/24 .*floods/ });
    await denied.getByRole('button', { name: 'Allow' }).click();
    await submitDialog(boss, { reason: 'it is quiet' }, '198.51.100.0/24 is allowed again.');
    await denied.waitFor({ state: 'detached' });
  });

  test('when all of this is done, then the audit says by whom and why', async () => {
    await boss.goto(suite.url('/audit'));
    for (const reason of [
      'sells gold',
      'floods the chat',
      'the game has no trace of it',
      'weekly',
      'too few players',
      'floods',
      'it is quiet',
    ])
      await boss.getByText(`“${reason}”`).first().waitFor();
    await boss.getByRole('row', { name: /second.*settled/ }).waitFor();
  });

  test('when a role lacks these permissions, then none of the actions is offered', async () => {
    await second.goto(suite.url('/players?q=night_owl'));
    await second.getByRole('link', { name: 'night_owl' }).click();
    await second.getByRole('heading', { name: 'night_owl' }).waitFor();
    expect(await second.getByRole('button', { name: /^(Lift the ban|Reset password|Note)$/ }).count()).toBe(
      0,
    );
    await second.goto(suite.url('/zones'));
    await second.locator('.wall').getByText('Gate 1', { exact: false }).first().waitFor();
    expect(await second.getByRole('button', { name: /Select all|Add a zone/ }).count()).toBe(0);
    await second.goto(suite.url('/zones/10'));
    await second.getByRole('heading', { name: 'Gate 10' }).waitFor();
    expect(await second.getByRole('button', { name: /Merge|Change/ }).count()).toBe(0);
    for (const path of ['/audit', '/operators']) {
      await second.goto(suite.url(path));
      await second.getByText(/Ask someone with the role/).waitFor();
    }

    const viewer = await suite.openAs('looker', 'viewer');
    await db.kysely.updateTable('withdraw').set({ state: 'unknown', open_key: '1:7' }).execute();
    await viewer.goto(suite.url(`/withdrawals/${UNKNOWN}`));
    await viewer.getByRole('heading', { name: /500/ }).waitFor();
    expect(await viewer.getByRole('button', { name: /taken|receipt/ }).count()).toBe(0);
  });
});
