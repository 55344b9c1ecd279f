import { cpSync, globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/**
 * Packages that the bundle contains, with their licences. Loading hundreds of small files takes half of a start. Other
 * dependencies stay external: they are CommonJS, start threads from files of their own, or are rarely needed.
 */
const VENDORED = ['kysely', 'typebox', 'cockatiel', 'smol-toml', 'commander'];
const isOneOf = (names: readonly string[], id: string) =>
  names.some((name) => id === name || id.startsWith(`${name}/`));
const OWN = /^[./]|^@gatehouse\//;
export const isBundled = (id: string) => OWN.test(id) || isOneOf(VENDORED, id);

interface BundleOptions {
  readonly root: string;
  readonly folder: string;
  /** Where the bundle is in the folder. */
  readonly dist: string;
  /** More entry points, by the name of their file without `.js`. */
  readonly entries?: Readonly<Record<string, string>>;
}

/**
 * Bundles the service and its commands as `main.js` and chunks. Modules find other files of the package by their own address,
 * which the bundle keeps.
 */
export async function bundleServer({ root, folder, dist, entries = {} }: BundleOptions): Promise<void> {
  const addresses: Plugin = {
    name: 'addresses',
    transform(code, id) {
      if (!id.startsWith(join(root, 'server/src')) || !code.includes('import.meta.url')) return null;
      const path = relative(join(root, dist), id);
      return code.replaceAll('import.meta.url', `new URL('${path}', import.meta.url)`);
    },
  };
  const bundle = await rolldown({
    cwd: root,
    input: { [`${dist}/main`]: 'server/src/cli/main.ts', ...entries },
    platform: 'node',
    plugins: [addresses],
    external: (id) => !isBundled(id),
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${dist}/[name]-[hash].js`,
  });
  await bundle.close();
  for (const name of VENDORED)
    for (const modules of ['server/node_modules', 'node_modules'])
      for (const licence of globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, modules, name) }))
        cpSync(join(root, modules, name, licence), join(folder, dist, `${name}.LICENSE`));
}
