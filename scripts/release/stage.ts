import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { type Manifest, shrinkwrap } from './shrinkwrap.ts';

/** Copied unchanged, at the same paths as in the repository, so that paths in the code stay valid. */
const COPIED = [
  'server/bin',
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
const LEFT_OUT = /(?:^|\/)(?:Dockerfile|compose\.yml|docs\/images|docs\/decisions)$/;
const OWN = /^[./]|^@gatehouse\//;
/** Packages of hundreds of small files, which dominate a command's load time. Bundled into a few, with their licences. */
const VENDORED = ['kysely', 'typebox'];
const isVendored = (id: string) => VENDORED.some((name) => id === name || id.startsWith(`${name}/`));

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

  const imports = await buildJavaScript({ root, folder });
  const manifest = { ...releaseManifest(root), imports };
  const lock = readJson(join(root, 'package-lock.json'));
  writeJson(join(folder, 'package.json'), manifest);
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrap({ lock, manifest, workspace: 'server' }));
  return manifest;
}

/**
 * Compiles each module to its own file, including the contract's; dependencies stay external. Returns the manifest's `imports`,
 * which resolve the vendored packages.
 */
async function buildJavaScript({
  root,
  folder,
}: {
  root: string;
  folder: string;
}): Promise<Record<string, string>> {
  const imported = new Set<string>();
  const vendored: Plugin = {
    name: 'vendored',
    resolveId(id) {
      if (!isVendored(id)) return null;
      imported.add(id);
      return { id: `#${id}`, external: true };
    },
  };
  const modules = await rolldown({
    cwd: root,
    input: ['server/src/cli/main.ts', 'scripts/smoke.ts'],
    platform: 'node',
    plugins: [vendored],
    external: (id) => !OWN.test(id) && !isVendored(id),
  });
  const esm = { dir: folder, format: 'esm', entryFileNames: '[name].js' } as const;
  await modules.write({ ...esm, preserveModules: true, preserveModulesRoot: root });
  await modules.close();

  const input = Object.fromEntries([...imported].map((id) => [fileOf(id).replace(/\.js$/, ''), id]));
  const vendor = await rolldown({ cwd: join(root, 'server'), input, platform: 'node' });
  await vendor.write({ ...esm, chunkFileNames: 'vendor/[name]-[hash].js' });
  await vendor.close();
  for (const name of VENDORED)
    for (const licence of globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, 'node_modules', name) }))
      cpSync(join(root, 'node_modules', name, licence), join(folder, 'vendor', `${name}.LICENSE`));
  return Object.fromEntries([...imported].sort().map((id) => [`#${id}`, `./${fileOf(id)}`]));
}

const fileOf = (id: string) => `vendor/${id.replaceAll('/', '-')}.js`;

function releaseManifest(root: string): Manifest {
  const repository = readJson(join(root, 'package.json'));
  const server = readJson(join(root, 'server/package.json'));
  const dependencies = Object.fromEntries(
    Object.entries<string>(server.dependencies).filter(([name]) => !OWN.test(name) && !isVendored(name)),
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
