import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { buildClient } from '../scripts/build.ts';

const BUDGET = 6000;
const modules = resolve(import.meta.dirname, '../../node_modules');
const tsc = join(modules, '.bin/tsc');
const nodeTypes = join(modules, '@types');

const project = tempDir('client-package');
const folder = join(project, 'node_modules/@gatehouse/client');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

beforeAll(async () => {
  await buildClient(folder);
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
});

/** Compiles files of the project, and returns what the compiler says. */
function compile(files: readonly string[], more: readonly string[]): string {
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
  ];
  const { stdout } = spawnSync(tsc, [...options, ...more, ...files], { cwd: project, encoding: 'utf8' });
  return stdout;
}

const importsOf = (file: string) =>
  [...read(file).matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)].map(([, name = '']) => name);

/** The file and everything it loads, now or on demand. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const name of importsOf(file)) if (!seen.has(name.slice(2))) withImports(name.slice(2), seen);
  return seen;
}

test('when a page uses the client, then the library, solver and worker weigh at most 6 kB gzipped', () => {
  const files = [...withImports('index.js'), 'challenge-worker.js'];
  expect(files.length).toBeGreaterThan(3);
  const weight = files.reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
  expect(weight).toBeLessThanOrEqual(BUDGET);
});

test('when the package is installed, then it has no dependencies, and only the game server part needs Node', () => {
  const manifest = JSON.parse(read('package.json'));
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  expect(globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.d.ts'))).toEqual([]);
  const imported = new Map(globSync('*.js', { cwd: folder }).map((file) => [file, importsOf(file)]));
  for (const [file, names] of imported)
    for (const name of names) expect(name).toMatch(file === 'server.js' ? /^(?:\.\/|node:crypto$)/ : /^\.\//);
});

test('when a program is written against the types, then the compiler checks it without our packages', () => {
  writeFileSync(
    join(project, 'src/main.ts'),
    `import { createClient, GatehouseError, type ListedZone } from '@gatehouse/client';
import { solveChallenge } from '@gatehouse/client/challenge';
import { verifyWebhook } from '@gatehouse/client/server';
const client = createClient({ url: 'http://localhost' });
export const zones = async (): Promise<ListedZone[]> => (await client.serverList()).servers;
export const isWrong = (error: unknown) => error instanceof GatehouseError && error.code === 'invalid_credentials';
// @ts-expect-error A password is missing.
export const login = () => client.login({ account: 'a' });
// @ts-expect-error There is no such code.
export const isOther = (error: GatehouseError) => error.code === 'no_such_code';
export const solve = solveChallenge;
export function accountOf(body: string, headers: Headers): string | undefined {
  const event = verifyWebhook(body, headers, 'whsec_');
  return event.type === 'player.registered' ? event.data.account : undefined;
}
`,
  );
  expect(compile(['src/main.ts'], ['--types', ''])).toBe('');
});

test('when docs/clients.md has an example, then it compiles', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/clients.md'), 'utf8');
  const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(examples.length).toBeGreaterThan(5);
  const files = examples.map((code, n) => {
    writeFileSync(join(project, `src/example-${n}.ts`), `${code}export {};\n`);
    return `src/example-${n}.ts`;
  });
  expect(compile(files, ['--types', 'node', '--typeRoots', nodeTypes])).toBe('');
});

test('when Node imports the built package, then its parts share one error class', async () => {
  const importFile = (file: string) => import(pathToFileURL(join(folder, file)).href);
  const [{ GatehouseError }, server] = await Promise.all([importFile('index.js'), importFile('server.js')]);
  expect(server.GatehouseError).toBe(GatehouseError);
  expect(() => server.verifyGmCommand('operid=10030', 'key')).toThrow(GatehouseError);
});
