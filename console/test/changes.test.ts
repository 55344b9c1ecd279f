import { migrate } from '@gatehouse/server/db/migrate';
import { type Db, openDatabase } from '@gatehouse/server/db/open';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { consoleSuite } from './console-suite.ts';

const ZONES = Array.from({ length: 10 }, (_, index) => index + 1);
const UNKNOWN = '00000000-0000-4000-8000-000000000001';

/** Fills in the dialog that is open and makes the change; answers once the audit entry is named. */
async function submitDialog(page: Page, fields: Record<string, string>, done: string | RegExp) {
  const dialog = page.getByRole('dialog');
  for (const [name, value] of Object.entries(fields)) await dialog.locator(`[name=${name}]`).fill(value);
  await dialog.locator('button[type=submit]').click();
  await page
    .locator('.toast', { hasText: done })
    .getByText(/Audit #/)
    .waitFor();
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

describeOnEngines('an operator’s night', (engine) => {
  const suite = consoleSuite({
    databaseUrl: engine.freshUrl,
    settings: { withdraw: { two_person_above: 100 }, time_zone: 'Asia/Shanghai' },
  });
  let db: Db;
  let boss: Page;
  let second: Page;

  async function operator(name: string, role: string): Promise<Page> {
    const page = await suite.openPage();
    await suite.accept(page, await suite.invite(name, role));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return page;
  }

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
    boss = await operator('boss', 'admin');
    second = await operator('second', 'finance');
  });
  afterAll(() => db?.close());

  test('when a player is found by address, then a ban until Friday ends on Friday', async () => {
    await boss.keyboard.press('Control+k');
    await boss.keyboard.type('203.0.113.77');
    await boss.getByRole('option', { name: /night_owl/ }).click();
    await boss.getByRole('heading', { name: 'night_owl' }).waitFor();
    await button(boss, 'Ban…').click();
    await boss.getByLabel('Until').selectOption('at');
    await boss.locator('input[type=datetime-local]').fill('2099-05-01T20:00');
    await button(boss, 'Ban until 2099-05-01 20:00').waitFor();
    await submitDialog(boss, { reason: 'sells gold' }, 'night_owl is banned.');
    const { banned_until } = await db.kysely
      .selectFrom('player')
      .select('banned_until')
      .where('account', '=', 'night_owl')
      .executeTakeFirstOrThrow();
    expect(new Date(banned_until ?? 0).toISOString()).toBe('2099-05-01T12:00:00.000Z');
  });

  test('when a withdrawal is unknown, then two people settle it, and one of them alone does not', async () => {
    await boss.goto(suite.url(`/withdrawals/${UNKNOWN}`));
    await button(boss, 'It was not taken…').click();
    await submitDialog(boss, { reason: 'the game has no trace of it' }, 'Your proposal is kept');
    await boss.getByText('Another operator has to say the same.').waitFor();
    const { state } = await db.kysely
      .selectFrom('withdraw')
      .select('state')
      .where('id', '=', UNKNOWN)
      .executeTakeFirstOrThrow();
    expect(state).toBe('unknown');

    await second.goto(suite.url('/withdrawals'));
    await second.getByRole('link', { name: 'night_owl' }).first().waitFor();
    await second.goto(suite.url(`/withdrawals/${UNKNOWN}`));
    await second.getByText(/boss proposed/).waitFor();
    await button(second, 'It was not taken…').click();
    await submitDialog(second, { reason: 'so say the game’s people' }, 'The withdrawal is settled.');
    await second.getByText('failed').first().waitFor();
  });

  test('when ten zones go into maintenance with a message and an end, then they open again by themselves', async () => {
    await boss.goto(suite.url('/zones'));
    await button(boss, 'Select all').click();
    await button(boss, 'Set status…').click();
    await submitDialog(boss, { message: 'new lanterns', reason: 'weekly' }, '10 set to maintenance.');
    const inMaintenance = boss.locator('.wall').getByText('maintenance', { exact: true });
    await expect.poll(() => inMaintenance.count()).toBe(10);
    // Nobody waits two hours: the end is brought nearer, everything else is as it was set.
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
        { timeout: 15_000 },
      )
      .toBe(0);
    await boss.locator('.wall').getByText('open', { exact: true }).nth(9).waitFor();
  });

  test('when two zones are merged, then a dry run comes first, and the zone says where it went', async () => {
    await boss.goto(suite.url('/zones/9'));
    await button(boss, 'Merge…').click();
    const dialog = boss.getByRole('dialog');
    await dialog.getByLabel('Into').selectOption('10');
    expect(await dialog.locator('button[type=submit]').isDisabled()).toBe(true);
    await button(boss, 'See what it touches').click();
    await dialog.getByText(/players were here last/).waitFor();
    await submitDialog(boss, { reason: 'too few players' }, 'Merged.');
    await boss.getByText('merged into 10').first().waitFor();
  });

  test('when a block is denied for an hour, then it is on the list, until it is allowed again', async () => {
    await boss.goto(suite.url('/controls'));
    await button(boss, 'Deny addresses…').click();
    await boss.getByRole('dialog').getByLabel('Until').selectOption('1');
    await submitDialog(boss, { entry: '198.51.100.0/24', reason: 'floods' }, '198.51.100.0/24 is denied.');
    const denied = boss.getByRole('row', { name: /198\.51\.100\.0\/24 .*floods/ });
    await denied.getByRole('button', { name: 'Allow' }).click();
    await submitDialog(boss, { reason: 'it is quiet' }, '198.51.100.0/24 is allowed again.');
    await denied.waitFor({ state: 'detached' });
  });

  test('when all that was done, then the audit says by whom and why', async () => {
    await boss.goto(suite.url('/audit'));
    for (const reason of [
      'sells gold',
      'the game has no trace of it',
      'weekly',
      'too few players',
      'floods',
      'it is quiet',
    ])
      await boss.getByText(`“${reason}”`).first().waitFor();
    await boss.getByRole('row', { name: /second.*settled/ }).waitFor();
  });

  test('when a role may not do these things, then none of them is offered', async () => {
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
      await second.getByText(/Ask somebody who is/).waitFor();
    }

    const viewer = await operator('looker', 'viewer');
    await db.kysely.updateTable('withdraw').set({ state: 'unknown', open_key: '1:7' }).execute();
    await viewer.goto(suite.url(`/withdrawals/${UNKNOWN}`));
    await viewer.getByRole('heading', { name: /500/ }).waitFor();
    expect(await viewer.getByRole('button', { name: /taken|receipt/ }).count()).toBe(0);
  });
});

describe('every other change', () => {
  const suite = consoleSuite();
  let boss: Page;

  beforeAll(async () => {
    boss = await suite.openPage();
    await suite.accept(boss, await suite.invite('boss', 'admin'));
    await boss.getByRole('heading', { name: 'Overview' }).waitFor();
    await suite.registerPlayer('traveller');
  });

  test('when support looks after a player, then each act is done and named', async () => {
    await boss.goto(suite.url('/players/1'));
    await button(boss, 'Note').click();
    await submitDialog(boss, { text: 'called about a lost role' }, 'The note is kept.');
    await boss.getByText('called about a lost role').waitFor();
    await button(boss, 'E-mail').click();
    await submitDialog(
      boss,
      { email: 'new@example.com', reason: 'asked for' },
      'e-mail of traveller is changed',
    );
    await boss.getByText('new@example.com').first().waitFor();
    await button(boss, 'Sign out').click();
    await submitDialog(boss, {}, 'signed out everywhere');
    await button(boss, 'Ban…').click();
    await submitDialog(boss, { reason: 'a mistake' }, 'traveller is banned.');
    await button(boss, 'Lift the ban').click();
    await submitDialog(boss, { reason: 'it was one' }, 'no longer banned');
    await button(boss, 'Reset password').click();
    await submitDialog(boss, { reason: 'lost' }, 'The password of traveller is reset.');
    const temporary = boss.getByRole('dialog').getByText('Tell the player this temporary password.');
    await temporary.waitFor();
  });

  test('when a manager announces and overrides, then players and the settings see it, and it can be undone', async () => {
    await boss.goto(suite.url('/announcements'));
    await button(boss, 'Announce something').click();
    await submitDialog(boss, { title: 'Tonight', body: 'Maintenance at ten' }, 'Announced.');
    await boss.getByText('Maintenance at ten').waitFor();
    await button(boss, 'Edit').click();
    expect(await boss.getByRole('dialog').locator('[name=title]').inputValue()).toBe('Tonight');
    await submitDialog(boss, { body: 'Maintenance at eleven' }, 'The announcement is changed.');
    await boss.getByText('Maintenance at eleven').waitFor();
    await button(boss, 'Remove').click();
    await submitDialog(boss, {}, 'taken back');
    await boss.getByText('No announcements yet').waitFor();

    await boss.goto(suite.url('/controls'));
    await button(boss, 'Override…').first().click();
    await boss.getByRole('dialog').locator('input').first().fill('5');
    await submitDialog(boss, { reason: 'a storm' }, 'In force');
    await button(boss, 'Clear…').click();
    await submitDialog(boss, { reason: 'it is over' }, 'The settings file decides again.');

    await boss.goto(suite.url('/promoters'));
    await button(boss, 'Add a promoter').first().click();
    await submitDialog(boss, { name: 'Night market' }, 'Night market is added.');
    await button(boss, 'Rename').click();
    await submitDialog(boss, { name: 'Day market' }, 'It is called Day market now.');
    await boss.getByRole('heading', { name: 'Day market' }).waitFor();
    await button(boss, 'Close the promoter').click();
    await submitDialog(boss, {}, 'Day market is closed.');
    await button(boss, 'Open again').click();
    await submitDialog(boss, {}, 'Day market is open again.');
  });

  test('when a zone is added, changed and cloned, then each keeps what was not touched', async () => {
    await boss.goto(suite.url('/zones'));
    await button(boss, 'Add a zone').first().click();
    const added = { server_id: '21', name: 'Lantern 21', address: '127.0.0.1', port: '7021' };
    await submitDialog(
      boss,
      { ...added, gm_url: 'http://gm:secret@127.0.0.1:8021/' },
      'Lantern 21 is added.',
    );
    await boss.getByRole('heading', { name: 'Lantern 21' }).waitFor();
    await button(boss, 'Edit').click();
    await submitDialog(boss, { name: 'Lantern XXI', port: '7121' }, 'Lantern XXI is changed.');
    await boss.getByText('127.0.0.1:7121').waitFor();
    await boss.getByText('http://gm:***@127.0.0.1:8021/').first().waitFor();
    await button(boss, 'Clone as new').click();
    await boss.getByText('*** stands for a password that is not copied').waitFor();
    const clone = { server_id: '22', name: 'Lantern 22', gm_url: 'http://gm:other@127.0.0.1:8022/' };
    await submitDialog(boss, clone, 'Lantern 22 is added.');
    await boss.getByRole('heading', { name: 'Lantern 22' }).waitFor();
    await boss.getByText('127.0.0.1:7121').waitFor();
  });

  test('when an admin invites, limits and disables, and makes and revokes a key, then each is done', async () => {
    await boss.goto(suite.url('/operators'));
    await button(boss, 'Invite an operator').click();
    await submitDialog(boss, { name: 'li.na' }, 'li.na is invited.');
    await boss
      .getByRole('dialog')
      .getByText(/\/console\/invite#/)
      .waitFor();
    await boss.keyboard.press('Escape');
    const row = boss.getByRole('row', { name: /li\.na/ });
    await row.getByRole('button', { name: 'Edit' }).click();
    await boss.getByRole('dialog').getByLabel('Role').selectOption('support');
    await submitDialog(boss, { zones: '1, 3-4' }, 'li.na is changed.');
    await boss.getByRole('row', { name: /li\.na support 1, 3, 4/ }).waitFor();
    await row.getByRole('button', { name: 'Invite again' }).click();
    await submitDialog(boss, {}, 'li.na is invited again.');
    await boss.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Disable' }).click();
    await submitDialog(boss, {}, 'li.na is disabled.');
    await row.getByRole('button', { name: 'Enable' }).click();
    await submitDialog(boss, {}, 'li.na is enabled.');
    await button(boss, 'Make a key').click();
    await submitDialog(boss, { name: 'nightly' }, 'The key nightly is made.');
    await boss.keyboard.press('Escape');
    await boss
      .getByRole('row', { name: /nightly/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await submitDialog(boss, {}, 'The key nightly is revoked.');
  });

  test('when a list is downloaded, then it is a file and the audit has it', async () => {
    await boss.goto(suite.url('/players'));
    const [download] = await Promise.all([
      boss.waitForEvent('download'),
      boss.getByRole('button', { name: /CSV/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    await boss.goto(suite.url('/audit?action=export'));
    await boss.getByRole('row', { name: /boss.*exported/ }).waitFor();
  });
});
