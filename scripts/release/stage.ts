import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer, isBundled } from './bundle.ts';
import { type Manifest, shrinkwrap } from './shrinkwrap.ts';

/** Copied unchanged, at the same paths as in the repository, so that paths in the code stay valid. */
const COPIED = [
  'server/bin',
  'server/src/cli/compile-cache.js',
  'server/config',
  'web/dist',
  'console/dist',
  'deploy',
  'docs',
  'LICENSE',
  'README.md',
  'README.zh-CN.md',
  'CHANGELOG.md',
  'SECURITY.md',
];
const LEFT_OUT = /(?:^|\/)(?:Dockerfile|compose\.yaml|helm|docs\/images|docs\/decisions)$/;

/** Fills a folder with the release package. The pages must be built. Returns its manifest. */
export async function stageRelease({ root, folder }: { root: string; folder: string }): Promise<Manifest> {
  for (const pages of ['web/dist', 'console/dist'])
    if (!existsSync(join(root, pages, 'index.html'))) throw new Error(`${pages} is not there: npm run build`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of COPIED)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !LEFT_OUT.test(source),
    });

  await bundleServer({ root, folder, dist: 'server/dist', entries: { 'scripts/smoke': 'scripts/smoke.ts' } });
  const manifest = releaseManifest(root);
  const lock = readJson(join(root, 'package-lock.json'));
  writeJson(join(folder, 'package.json'), manifest);
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap({ lock, manifest, workspace: 'server' }));
  return manifest;
}

function releaseManifest(root: string): Manifest {
  const repository = readJson(join(root, 'package.json'));
  const server = readJson(join(root, 'server/package.json'));
  const dependencies = Object.fromEntries(
    Object.entries<string>(server.dependencies).filter(([name]) => !isBundled(name)),
  );
  return {
    name: 'gatehouse',
    version: server.version,
    description: 'Account and game-entry service of a browser-game platform',
    license: repository.license,
    type: 'module',
    bin: { gatehouse: 'server/bin/gatehouse.js' },
    scripts: { smoke: 'node scripts/smoke.js' },
    exports: {},
    engines: repository.engines,
    dependencies,
    optionalDependencies: repository.optionalDependencies,
  };
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file: string, value: object) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
