import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { lint } from '../../scripts/install/dockerfile.ts';
import { findExecutable } from '../../test-support/executables.ts';
import { tempDir } from '../../test-support/process.ts';
import { parseSettings } from '../src/settings/load.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const auth = { password_key: 'old-generation-key', jwt_secret: 's'.repeat(40) };

test.each(globSync('deploy/settings/*.toml', { cwd: root }))(
  'when %s is used with secrets filled in, then it is valid, accepts chat from games only and holds withdrawals after a reset',
  (file) => {
    const shipped = parse(read(file)) as { game_servers?: { key?: string } };
    const { key: _empty, ...game_servers } = shipped.game_servers ?? {};
    const settings = parseSettings({ ...shipped, auth, game_servers });
    expect(settings.chat.from).toBe('game_servers');
    expect(settings.withdraw.hold_after_reset).toBe(3600);
  },
);

test('when the unit is analysed, then the service has access to little more than the network', () => {
  const unit = read('deploy/gatehouse.service');
  for (const line of ['CapabilityBoundingSet=', 'SystemCallFilter=@system-service', 'ProtectSystem=strict'])
    expect(unit.split('\n')).toContain(line);
  // systemd's own analysis, if installed.
  const analyze = findExecutable('systemd-analyze');
  if (analyze === undefined) return;
  const file = join(root, 'deploy/gatehouse.service');
  const { stdout } = spawnSync(analyze, ['security', '--offline=true', '--no-pager', file], {
    encoding: 'utf8',
  });
  const [, exposure] = /Overall exposure level for gatehouse.service: ([\d.]+)/.exec(stdout) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(2);
});

test('when the backup units are verified, then systemd reports nothing', () => {
  const analyze = findExecutable('systemd-analyze');
  if (analyze === undefined) return;
  const folder = tempDir('units');
  const files = ['gatehouse-backup.service', 'gatehouse-backup.timer'].map((name) => {
    // systemd checks that the program exists, so name the one of this repository.
    const program = join(root, 'deploy/gatehouse-backup');
    const unit = read(`deploy/${name}`).replace('/usr/local/sbin/gatehouse-backup', program);
    writeFileSync(join(folder, name), unit);
    return join(folder, name);
  });
  const { status, stderr } = spawnSync(analyze, ['verify', '--man=no', ...files], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('when an image is built, then it contains no settings file, secret or database', () => {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('!'));
  for (const file of [
    'gatehouse.toml',
    'config/my.toml',
    '.env',
    'deploy/.env',
    'tls.key',
    'games/mir_actor_s1.db',
  ])
    expect({ file, ignored: patterns.some((pattern) => matchesGlob(file, pattern)) }).toEqual({
      file,
      ignored: true,
    });
});

test('when the Dockerfile is checked by hadolint’s rules, then it breaks none, and a bad one is reported', () => {
  expect(lint(read('deploy/Dockerfile'))).toEqual([]);
  const bad = 'FROM node:latest\nWORKDIR app\nADD . .\nRUN sudo id | cat\nRUN id\nCMD node x.js\n';
  expect(lint(bad).map((finding) => finding.slice(0, 6))).toEqual(
    'DL3000 DL3002 DL3004 DL3007 DL3012 DL3020 DL3025 DL3059 DL4003 DL4006'.split(' '),
  );
});

test('when base images are named, then with a full version', () => {
  const named = [...read('deploy/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(named.length).toBeGreaterThan(1);
  for (const image of named) expect(image).toMatch(/^[a-z]+:\d+\.\d+\.\d+(-[a-z-]+)?$/);
  expect(read('deploy/Dockerfile')).not.toContain('--chown');
});
