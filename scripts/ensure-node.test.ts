import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, 'ensure-node.sh');

/** Runs the script with these programs instead of the machine's. */
function run(programs: Record<string, string>) {
  using bin = mkdtempDisposableSync(join(tmpdir(), 'gatehouse-ensure-node-'));
  const calls = join(bin.path, 'calls');
  writeFileSync(calls, '');
  for (const [name, body] of Object.entries(programs))
    writeFileSync(join(bin.path, name), `#!/bin/sh\necho "${name} $*" >> ${calls}\n${body}\n`, {
      mode: 0o755,
    });
  const { status, stderr } = spawnSync('/bin/sh', [script], { env: { PATH: bin.path }, encoding: 'utf8' });
  return { status, stderr, calls: readFileSync(calls, 'utf8') };
}

const broken = `echo "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127`;
const yes = 'exit 0';

test('when Node starts, then nothing is installed', () => {
  expect(run({ node: yes, 'apt-get': yes, id: 'echo 0' })).toMatchObject({
    status: 0,
    calls: 'node --version\n',
  });
});

test('when Node lacks libatomic and we are root, then it is installed', () => {
  const { status, calls } = run({ node: broken, 'apt-get': yes, id: 'echo 0', true: yes });
  expect(status).toBe(0);
  expect(calls).toMatch(/apt-get install .*libatomic1/);
});

test('when Node lacks libatomic and we may not install it, then the script says what to install', () => {
  const { status, stderr, calls } = run({ node: broken, 'apt-get': yes, id: 'echo 1000', sudo: 'exit 1' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/libatomic\.so\.1[\s\S]*apt-get install .*libatomic1/);
  expect(calls).not.toContain('apt-get');
});

test('when Node fails for another reason, then only that is reported', () => {
  const { status, stderr } = run({
    node: 'echo "not found" >&2; exit 127',
    'apt-get': yes,
    id: 'echo 0',
    true: yes,
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'not found\n' });
});

const root = join(import.meta.dirname, '..');
const recorded = readFileSync(join(root, 'deploy/node.sha256'), 'utf8');

test('when the packages that bring Node change, then their checksums are recorded again', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const locked = Object.entries(lock.packages).filter(([path]) => /^node_modules\/node-linux-/.test(path));
  expect(locked).toHaveLength(2);
  for (const [path, { version, integrity }] of locked) {
    expect(recorded).toContain(`# ${path.slice('node_modules/'.length)} ${version} ${integrity}\n`);
    expect(recorded).toMatch(new RegExp(`^[0-9a-f]{64}  ${path}/bin/node$`, 'm'));
  }
});

test('when Node is installed, then it is the program whose checksum is recorded', () => {
  const path = `node_modules/node-linux-${process.arch}/bin/node`;
  const sum = hash('sha256', readFileSync(join(root, path)));
  expect(recorded).toContain(`${sum}  ${path}\n`);
});
