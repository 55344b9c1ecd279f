import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stageRelease } from './release/stage.ts';

// Builds dist/gatehouse-VERSION.tgz and dist/gatehouse-client-VERSION.tgz for `npm install`.
const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
mkdirSync(dist, { recursive: true });
using staging = mkdtempDisposableSync(join(tmpdir(), 'gatehouse-release-'));
const { name, version } = await stageRelease({ root, folder: staging.path });
for (const cwd of [staging.path, join(root, 'client/dist')])
  execFileSync('npm', ['pack', '--silent', '--pack-destination', dist], { cwd, stdio: 'ignore' });
console.log(`release: dist/${name}-${version}.tgz, dist/gatehouse-client-${version}.tgz`);
