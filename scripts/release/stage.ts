import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { type Manifest, shrinkwrap } from './shrinkwrap.ts';

/** Copied as they are; everything stands where it does in the repository, so that paths in the code hold. */
const COPIED = [
  'server/bin',
  'server/config',
  'web/dist',
  'console/dist',
  'deploy',
  'docs',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
];
const LEFT_OUT = /(?:^|\/)(?:Dockerfile|compose\.yml|docs\/images|docs\/decisions)$/;
const OWN = /^[./]|^@gatehouse\//;

/** Fills a folder with the package of a release; the pages must be built. Answers its manifest. */
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

  await buildJavaScript({ root, folder });
  const manifest = releaseManifest(root);
  const lock = readJson(join(root, 'package-lock.json'));
  writeJson(join(folder, 'package.json'), manifest);
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap({ lock, manifest, workspace: 'server' }));
  return manifest;
}

/** A file each, the contract's included; dependencies stay dependencies. */
async function buildJavaScript({ root, folder }: { root: string; folder: string }): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: 'server/src/cli/main.ts',
    platform: 'node',
    external: (id) => !OWN.test(id),
  });
  await build.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: root,
    entryFileNames: '[name].js',
  });
  await build.close();
}

function releaseManifest(root: string): Manifest {
  const repository = readJson(join(root, 'package.json'));
  const server = readJson(join(root, 'server/package.json'));
  const { '@gatehouse/contract': _built, ...dependencies } = server.dependencies;
  return {
    name: 'gatehouse',
    version: server.version,
    description: 'Account and game-entry service of a browser-game platform',
    license: repository.license,
    type: 'module',
    bin: { gatehouse: 'server/bin/gatehouse.js' },
    exports: {},
    engines: repository.engines,
    dependencies,
    optionalDependencies: repository.optionalDependencies,
  };
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file: string, value: object) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
