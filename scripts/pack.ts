import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { stageRelease } from './release/stage.ts';

// Makes dist/gatehouse-VERSION.tgz, which `npm install` takes.
const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const folder = join(dist, 'release');
const { name, version } = await stageRelease({ root, folder });
execFileSync('npm', ['pack', '--silent', '--pack-destination', dist], { cwd: folder, stdio: 'ignore' });
console.log(`release: dist/${name}-${version}.tgz`);
