// @vitest-environment node
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { plainContract } from './contract.ts';

const contract = fileURLToPath(new URL('../../contract/src', import.meta.url));
const login = `import { routes } from '@gatehouse/contract/player';\nconsole.log(routes.login.path);\n`;

/** Bundles a page, optionally with the contract of another folder. */
async function bundleOf(page: string, source = contract): Promise<string> {
  const root = tempDir('bundle');
  writeFileSync(`${root}/main.ts`, page);
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plainContract({ source })],
    build: { write: false, minify: false, rolldownOptions: { input: `${root}/main.ts` } },
  })) as Rolldown.RolldownOutput;
  return output.map((each) => (each.type === 'chunk' ? each.code : '')).join('\n');
}

/** Copies the contract and appends a line to one file. */
function contractWith(file: string, line: string): string {
  const copy = `${tempDir('contract')}/src`;
  cpSync(contract, copy, { recursive: true });
  writeFileSync(`${copy}/admin/planted.ts`, `export const planted = '/api/admin/planted';\n`);
  appendFileSync(`${copy}/${file}`, line);
  return copy;
}

test('when a page calls a route, then the bundle contains that route and no other', async () => {
  const code = await bundleOf(login);
  expect(code).toContain('/api/login');
  expect(code).not.toContain('/api/register');
  expect(code).not.toContain('Log in with account and password');
});

test.each([
  '@gatehouse/contract',
  '@gatehouse/contract/admin',
  '@gatehouse/contract/game-server',
  `${contract}/admin/index.ts`,
  `${contract}/player/index.ts`,
])('when a page imports %s, then the build fails', async (specifier) => {
  await expect(bundleOf(`import * as all from '${specifier}';\nconsole.log(all);\n`)).rejects.toThrow(
    '@gatehouse/contract/player',
  );
});

test.each([
  ['player/site.ts', `export * from '../admin/planted.ts';\n`],
  ['player/zones.ts', `import '../admin/planted.ts';\n`],
  ['player/zones.ts', `import { checkRoutes } from '../game-server/check.ts';\nconsole.log(checkRoutes);\n`],
  ['fields.ts', `export { planted } from './admin/planted.ts';\n`],
  ['route.ts', `export const later = () => import('./admin/planted.ts');\n`],
  ['type.ts', `export { routes } from '@gatehouse/contract';\n`],
])('when %s of the contract gets the line %s, then the build fails', async (file, line) => {
  await expect(bundleOf(login, contractWith(file, line))).rejects.toThrow("not for the players' bundle");
});

test('when the players’ part takes only a type from elsewhere, then the build succeeds', async () => {
  const source = contractWith(
    'player/site.ts',
    `export type { Permission } from '../admin/permission.ts';\n`,
  );
  expect(await bundleOf(login, source)).toContain('/api/login');
});
