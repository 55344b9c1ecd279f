import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

// Builds the package as it is published, plain ES modules with types: npm run build --workspace client. Publish dist/.

const client = resolve(import.meta.dirname, '..');
const root = resolve(client, '..');

/** The worker is named by its URL, which bundlers other than the pages' leave as it is. */
const workerUrl: Plugin = {
  name: 'worker-url',
  transform: (code) => code.replace("'./challenge-worker.ts'", "'./challenge-worker.js'"),
};

/** Builds the package into a folder. */
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const modules = await rolldown({
    cwd: join(client, 'src'),
    input: {
      index: 'index.ts',
      challenge: 'challenge.ts',
      'challenge-worker': 'challenge-worker.ts',
      server: 'server/index.ts',
    },
    platform: 'neutral',
    external: /^node:/,
    plugins: [workerUrl],
  });
  await modules.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: false,
  });
  await modules.close();
  const types = join(folder, 'types');
  execFileSync(
    join(root, 'node_modules/.bin/tsc'),
    ['-p', join(client, 'tsconfig.json'), '--outDir', types],
    { stdio: 'inherit' },
  );
  for (const file of globSync('**/*.d.ts', { cwd: types })) writeJsImports(join(types, file));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(join(client, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** The compiler leaves `.ts` in the imports of declarations. */
function writeJsImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}

function manifest() {
  const { name, version } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
  const { license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entry = (types: string, file: string) => ({
    types: `./types/${types}.d.ts`,
    default: `./${file}.js`,
  });
  return {
    name,
    version,
    description: 'Client of Gatehouse for players’ pages and game servers, without dependencies',
    license,
    type: 'module',
    sideEffects: ['./challenge-worker.js'],
    engines,
    exports: {
      '.': entry('index', 'index'),
      './challenge': entry('challenge', 'challenge'),
      './server': entry('server/index', 'server'),
    },
  };
}

if (import.meta.main) await buildClient(join(client, 'dist'));
