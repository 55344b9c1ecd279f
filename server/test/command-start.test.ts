import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnvironment } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';

const bin = join(import.meta.dirname, '../bin/gatehouse.js');

/** Runs a command on its own database with this folder for temporary files. Returns the parts of Node it loaded. */
function run(temporary: string, ...args: string[]): string {
  const say = `process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(say)}`, bin, ...args],
    {
      env: {
        ...cleanEnvironment(),
        // Otherwise the tests' own would be used.
        NODE_COMPILE_CACHE: undefined,
        TMPDIR: temporary,
        GATEHOUSE_DATABASE_URL: `sqlite:${join(temporary, 'gatehouse.db')}`,
        GATEHOUSE_AUTH_PASSWORD_KEY: 'k',
        GATEHOUSE_AUTH_JWT_SECRET: 's'.repeat(40),
      },
      encoding: 'utf8',
    },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return stderr;
}

const cacheIn = (temporary: string) => join(temporary, `gatehouse-compile-cache-${process.getuid?.() ?? 0}`);

test('when a command starts again, then nothing is compiled again, and fetch is not loaded', () => {
  const temporary = tempDir('command-start');
  expect(run(temporary, 'zone', 'list')).toContain('internal/deps/amaro');
  expect(statSync(cacheIn(temporary)).mode & 0o777).toBe(0o700);
  const loaded = run(temporary, 'zone', 'list');
  expect(loaded).not.toContain('internal/deps/amaro');
  expect(loaded).not.toContain('internal/deps/undici');
  for (const command of ['withdraw', 'agent'])
    expect(run(temporary, command, 'list')).not.toContain('internal/deps/undici');
});

test('when others may write to the folder of compiled code, then it is not used', () => {
  const temporary = tempDir('command-start');
  const cache = cacheIn(temporary);
  mkdirSync(cache);
  chmodSync(cache, 0o777);
  run(temporary, '--version');
  expect(readdirSync(cache)).toEqual([]);
  expect(existsSync(join(temporary, 'node-compile-cache'))).toBe(false);
});
