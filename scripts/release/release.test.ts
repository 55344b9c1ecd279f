import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { stageRelease } from './stage.ts';

const root = resolve(import.meta.dirname, '../..');

// Packed, installed and started: release.slow.test.ts.
test('when a release names the versions of its dependencies, then they are all of the repository’s, without development ones', async () => {
  const staging = tempDir('release');
  await stageRelease({ root, folder: staging });
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const { packages } = read(join(staging, 'npm-shrinkwrap.json'));
  const lock = read(join(root, 'package-lock.json')).packages;
  expect(packages['node_modules/fastify'].version).toBe(lock['node_modules/fastify'].version);
  const names = Object.keys(packages);
  expect(names).toContain('node_modules/avvio');
  // Fails if package.json and the shrinkwrap disagree; does not contact the registry.
  const check = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--cache', tempDir('npm-cache')];
  execFileSync('npm', check, { cwd: staging, stdio: 'pipe' });
  for (const absent of ['vitest', 'vite', 'express', 'kysely', '@gatehouse/contract'])
    expect(names).not.toContain(`node_modules/${absent}`);
}, 300_000);
