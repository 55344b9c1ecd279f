import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { loadCommands } from '../src/cli/program.ts';
import { openPlayerAdmin } from '../src/features/account/admin/module.ts';
import { openZoneAdmin } from '../src/features/zones/admin/module.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migratedAt } from './db/opened.ts';
import { auditRows } from './support/audit.ts';
import { sample } from './support/pictures.ts';

const KEY = 'old-generation-key';
const OLD_PASSWORD = 'Correct-Horse-7';
const NEW_PASSWORD = 'Brand-New-Horse-7';
const { hash } = createPasswords(KEY);
const SEAL_KEY = 's'.repeat(40);
const argon2id = { password_hash: 'argon2id', legacy_tokens: false };
const auth = { password_key: KEY, jwt_secret: 'j'.repeat(40), seal_key: SEAL_KEY, ...argon2id };
const SECRETS = [KEY, SEAL_KEY, OLD_PASSWORD, NEW_PASSWORD, 'gm-secret', 'db-secret', 'next-secret'];

/** A database with one player and one unknown withdrawal, and the command line of Olga, who uses sudo. */
async function startOperatorApp(databaseUrl: string) {
  const db = await migratedAt(databaseUrl);
  await db.kysely
    .insertInto('player')
    .values({ account: 'Mallory', password_hash: hash(OLD_PASSWORD) })
    .execute();
  const withdrawal = { id: 'w-1', player_id: 1, server_id: 3, amount: 100, open_key: '3:1' };
  await db.kysely
    .insertInto('withdraw')
    .values([
      { ...withdrawal, state: 'unknown' },
      { ...withdrawal, id: 'w-2', open_key: '3:2', state: 'unknown' },
      { ...withdrawal, id: 'w-3', open_key: '3:3', state: 'accepted' },
    ])
    .execute();
  const parked = { webhook_id: 1, event_id: 'msg_1', type: 'zone.down', body: '{}', state: 'parked' };
  await db.kysely.insertInto('webhook_delivery').values(parked).execute();
  const config = join(tempDir('audit'), 'gatehouse.toml');
  writeFileSync(config, stringify({ database: { url: databaseUrl }, auth }));
  const cli = (line: string, input = '') =>
    runCommand(line.split(' '), { config, input, env: { SUDO_USER: 'olga' } });
  const csv = join(tempDir('audit'), 'old.csv');
  writeFileSync(csv, `account,password_hash\nalice,${hash('a')}\nbob,${hash('b')}\ncarol,${hash('c')}\n`);
  const promoters = join(tempDir('audit'), 'promoters.csv');
  writeFileSync(promoters, 'agent_id,name\n40,Li\n');
  const look = join(tempDir('audit'), 'look.json');
  writeFileSync(look, JSON.stringify({ gatehouse_site: 1, fields: { title: 'Other' } }));
  const picture = join(tempDir('audit'), 'logo.png');
  writeFileSync(picture, sample('small.png'));
  return { db, cli, csv, promoters, look, picture };
}

/** Returns every command that takes a reason, because it changes something. */
async function changingCommands(): Promise<string[]> {
  const leaves = (command: Command, path: string): string[] =>
    command.commands.length > 0
      ? command.commands.flatMap((each) => leaves(each, `${path} ${each.name()}`))
      : command.options.some(({ long }) => long === '--reason')
        ? [path]
        : [];
  return (await loadCommands()).flatMap((each) => leaves(each, each.name()));
}

/** Returns the command that a line begins with. */
const commandOf = (line: string, names: readonly string[]) =>
  names.find((name) => line === name || line.startsWith(`${name} `));

describeByTier('the audit records of the command line', (engine) => {
  test('when a command changes something, then it leaves one row: who, what, why, before and after, no secret', async () => {
    const { db, cli, csv, promoters, look, picture } = await startOperatorApp(await engine.freshUrl());
    const known = new Set<string>();
    const commands = await changingCommands();
    const performed = new Set<string | undefined>();
    const printed: string[] = [];

    async function rowOf(line: string, input?: string) {
      const result = await cli(line, input);
      expect(result, line).toMatchObject({ code: 0 });
      performed.add(commandOf(line, commands));
      printed.push(result.stdout);
      const fresh = (await auditRows(db)).filter(({ id }) => !known.has(id));
      for (const { id } of fresh) known.add(id);
      expect(fresh, line).toHaveLength(1);
      const { id: _, at, before, after, ...row } = fresh[0] ?? expect.fail();
      expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
      expect(row).toMatchObject({ actor: 'olga', via: 'cli', ip: null, request_id: null });
      return { ...row, before: before && JSON.parse(before), after: after && JSON.parse(after) };
    }
    const player = { subject_kind: 'player', subject_id: '1', server_id: null };
    const zone = { subject_kind: 'zone', subject_id: '7', server_id: 7 };
    const promoter = { subject_kind: 'promoter', subject_id: '1', server_id: null };

    expect(await rowOf('player ban mallory --reason bots --until 2030-01-31T12:00:00Z')).toMatchObject({
      ...player,
      action: 'player.ban',
      reason: 'bots',
      before: { status: 'active', ban_reason: null, banned_until: null, token_version: 0 },
      after: {
        status: 'banned',
        ban_reason: 'bots',
        banned_until: '2030-01-31T12:00:00.000Z',
        token_version: 1,
      },
    });
    expect(await rowOf('player ban mallory --reason cheats --until 2030-01-31T12:00:00Z')).toMatchObject({
      before: { ban_reason: 'bots', token_version: 1 },
      after: { ban_reason: 'cheats', token_version: 2 },
    });
    expect(await rowOf('player unban MALLORY --reason appeal')).toMatchObject({
      ...player,
      action: 'player.unban',
      reason: 'appeal',
      before: { status: 'banned', ban_reason: 'cheats', banned_until: '2030-01-31T12:00:00.000Z' },
      after: { status: 'active', ban_reason: null, banned_until: null },
    });
    expect(await rowOf('player sign-out mallory')).toMatchObject({
      ...player,
      action: 'player.sign_out',
      reason: null,
      before: { token_version: 2 },
      after: { token_version: 3 },
    });
    expect(await rowOf('player set-password mallory --reason forgotten', NEW_PASSWORD)).toMatchObject({
      ...player,
      action: 'player.reset_password',
      reason: 'forgotten',
      before: { token_version: 3 },
      after: { token_version: 4 },
    });

    const urls =
      '--gm-url http://gm.example/gm?key=gm-secret --database-url mysql://game:db-secret@db:3306/actors';
    expect(
      await rowOf(`zone add 7 --name Seven --address 10.0.0.7 --port 7007 ${urls} --reason opening`),
    ).toMatchObject({
      ...zone,
      action: 'zone.add',
      reason: 'opening',
      before: null,
      after: {
        name: 'Seven',
        address: '10.0.0.7',
        port: 7007,
        gm_url: 'http://gm.example/gm?key=***',
        database_url: 'mysql://game:***@db:3306/actors',
      },
    });
    expect(
      await rowOf(
        'zone set 7 --name Seven --status maintenance --database-url mysql://game:next-secret@db2:3306/actors --reason patch',
      ),
    ).toMatchObject({
      ...zone,
      action: 'zone.set',
      reason: 'patch',
      before: { status: 'open', database_url: 'mysql://game:***@db:3306/actors' },
      after: { status: 'maintenance', database_url: 'mysql://game:***@db2:3306/actors' },
    });
    const removed = await rowOf('zone remove 7 --reason over');
    expect(removed).toMatchObject({ ...zone, action: 'zone.remove', reason: 'over', after: null });
    expect(removed.before).toMatchObject({ name: 'Seven', port: 7007, status: 'maintenance', message: null });

    expect(await rowOf('promoter add Zhang --reason campaign')).toMatchObject({
      ...promoter,
      action: 'promoter.add',
      reason: 'campaign',
      before: null,
      after: { name: 'Zhang', status: 'active' },
    });
    expect(await rowOf('promoter close 1 --reason fraud')).toMatchObject({
      ...promoter,
      action: 'promoter.set',
      reason: 'fraud',
      before: { status: 'active' },
      after: { status: 'closed' },
    });
    expect(await rowOf('withdraw settle w-1 --state failed --reason log')).toMatchObject({
      action: 'withdraw.settle',
      subject_kind: 'withdraw',
      subject_id: 'w-1',
      server_id: 3,
      reason: 'log',
      before: { state: 'unknown', result_code: null },
      after: { state: 'failed', result_code: 'deduction_refused' },
    });
    // Three batches, two of them concurrent.
    expect(await rowOf(`import --csv ${csv} --apply --batch 1 --reason takeover`)).toMatchObject({
      action: 'import.run',
      subject_kind: 'import',
      reason: 'takeover',
      before: null,
      after: { file: csv },
    });

    await db.kysely.updateTable('player').set({ two_factor: 1 }).execute();
    const days = '--until 2030-01-31T12:00:00Z';
    const others: readonly (readonly [line: string, action: string])[] = [
      ['zone add 1 --name One --address 10.0.0.1 --port 7001', 'zone.add'],
      ['zone add 2 --name Two --address 10.0.0.2 --port 7002', 'zone.add'],
      [`zone status 2 --status maintenance ${days}`, 'zone.status'],
      ['zone merge 1 --into 2', 'zone.merge'],
      [`promoter import ${promoters}`, 'promoter.add'],
      ['player unlock mallory', 'player.unlock'],
      [`player mute mallory ${days}`, 'player.mute'],
      ['player unmute mallory', 'player.unmute'],
      ['player reset-two-factor mallory', 'player.reset_two_factor'],
      ['withdraw repoint w-2 --gm-url http://gm.example/gm', 'withdraw.repoint'],
      ['withdraw restored', 'withdraw.restored'],
      ['zone key add 2', 'key.add'],
      ['player unseal', 'player.unseal'],
      ['player reseal', 'player.seal'],
      ['player seal', 'player.seal'],
      ['zone key revoke 2', 'key.revoke'],
      ['player rehash', 'player.rehash'],
      ['operator add wei --role support --zones 1', 'operator.add'],
      ['operator set wei --role finance', 'operator.set'],
      ['operator disable wei', 'operator.disable'],
      ['operator enable wei', 'operator.enable'],
      ['operator invite wei', 'operator.invite'],
      ['operator key add robot --role viewer --days 9', 'key.add'],
      ['operator key revoke robot', 'key.revoke'],
      [`control set day_max_reg 5 ${days}`, 'control.set'],
      ['control clear day_max_reg', 'control.clear'],
      [`deny add 198.51.100.0/24 ${days}`, 'deny.add'],
      ['deny remove 1', 'deny.remove'],
      ['announcement add --title Maintenance --body soon', 'announcement.add'],
      ['announcement set 1 --level warning', 'announcement.set'],
      ['announcement remove 1', 'announcement.remove'],
      ['webhook add https://203.0.113.9/ --events zone.down', 'webhook.add'],
      ['webhook set 1 --pause', 'webhook.set'],
      ['webhook replay 1', 'webhook.replay'],
      ['webhook remove 1', 'webhook.remove'],
      ['site set title Beacon', 'site.set'],
      [`site import ${look}`, 'site.set'],
      ['site unset title', 'site.set'],
      [`site file logo ${picture}`, 'site.file'],
    ];
    for (const [line, action] of others) {
      const row = await rowOf(`${line} --reason because`);
      expect
        .soft({ line, action: row.action, reason: row.reason })
        .toEqual({ line, action, reason: 'because' });
      // An invitation changes only secrets, an unlock only counters.
      if (!['operator.invite', 'player.unlock'].includes(action))
        expect(row.before ?? row.after, line).not.toBeNull();
    }
    // This one needs an old database; export-accounts.test.ts has it.
    performed.add('export-accounts');
    expect([...performed].sort()).toEqual([...commands].sort());

    const written = JSON.stringify(await auditRows(db));
    for (const secret of printed.join(' ').match(/[\w-]{30,}/g) ?? []) expect(written).not.toContain(secret);
    for (const secret of [...SECRETS, ...SECRETS.map(hash), hash('a')]) expect(written).not.toContain(secret);
    expect(written).not.toMatch(/[0-9a-f]{32}|eyJ/i);
  }, 180_000);

  test('when the records are listed, then filters apply, for people and for scripts', async () => {
    const { db, cli } = await startOperatorApp(await engine.freshUrl());
    expect((await cli('audit list')).stdout).toBe('no record matches\n');
    const [olga, otto] = ['olga', 'otto'].map((name) => ({ name, via: 'cli' }) as const);
    const settings = parseSettings({ auth });
    await openPlayerAdmin({ db, settings }).signOut(olga ?? expect.fail(), {
      player: { account: 'mallory' },
    });
    const zone = { server_id: 7, name: 'Seven', address: '10.0.0.7', port: 7007 };
    await openZoneAdmin({ db }).add(otto ?? expect.fail(), { zones: [zone] });
    await openZoneAdmin({ db }).set(otto ?? expect.fail(), { serverId: 7, fields: { port: 7008 } });

    const actions = async (filter: string) => {
      const { stdout } = await cli(`audit list --json ${filter}`.trim());
      return JSON.parse(stdout).map(({ action }: { action: string }) => action);
    };
    expect(await actions('--from 1h --to 2099-01-01 --limit 2')).toHaveLength(2);
    expect(await actions('--subject player:1 --actor olga')).toEqual(['player.sign_out']);
    expect(await actions('--subject player:mallory --actor olga')).toEqual(['player.sign_out']);
    expect(await actions('--zone 7 --action zone.add')).toEqual(['zone.add']);
    expect(await actions('--to 1h')).toEqual([]);

    const { stdout } = await cli('audit list --subject zone:7');
    expect(stdout).toMatch(/^at +actor +via +action +subject +reason +before +after$/m);
    expect(stdout).toMatch(/otto +cli +zone.set +zone:7 +- +\{"port":7007\} +\{"port":7008\}/);
    expect(await cli('audit list --subject mallory')).toMatchObject({ code: 2, stdout: '' });
  }, 180_000);
});
