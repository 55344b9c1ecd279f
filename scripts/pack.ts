import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stageRelease } from './release/stage.ts';

// Builds dist/gatehouse-VERSION.tgz for `npm install`.
const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
mkdirSync(dist, { recursive: true });
using staging = mkdtempDisposableSync(join(tmpdir(), 'gatehouse-release-'));
const { name, version } = await stageRelease({ root, folder: staging.path });
execFileSync('npm', ['pack', '--silent', '--pack-destination', dist], { cwd: staging.path, stdio: 'ignore' });
console.log(`release: dist/${name}-${version}.tgz`);
