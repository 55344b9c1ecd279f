import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Route, routes } from '@gatehouse/contract';
import { adminRoutes, permissions, webhookData, webhookEventTypes } from '@gatehouse/contract/admin';
import { describe, expect, test } from 'vitest';
import { settingsReferences, unusedTranslations } from '../../scripts/settings-reference.ts';
import { runCli } from '../../test-support/gatehouse.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { leaves } from '../src/settings/leaves.ts';
import { anchorsOf, linksOf, targetOf } from './support/markdown.ts';
import { startTestApp } from './support/test-app.ts';

const root = resolve(import.meta.dirname, '../..');
const folderPages = globSync('*/**/README.md', { cwd: root, exclude: ['**/node_modules', '**/dist'] });
const pages = [
  'README.md',
  'README.zh-CN.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root }),
  ...folderPages,
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const filesBelow = (folder: string) => globSync('**/*.*', { cwd: folder, exclude: ['**/node_modules'] });
const run = promisify(execFile);

describe('the documentation', () => {
  test.each(settingsReferences())('when the settings change, then $page is up to date', ({ page, text }) => {
    expect(read(page)).toBe(text);
  });

  test('when the description of a setting changes, then its old translation is gone', () => {
    expect(unusedTranslations()).toEqual([]);
  });

  test.each(pages)('when %s links to a file, then it exists', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, target]) => target ?? '',
    );
    const missing = links.filter(
      (target) => globSync(target.replace(/\/$/, ''), { cwd: join(root, page, '..') }).length === 0,
    );
    expect(missing).toEqual([]);
  });

  test.each(pages)('when %s links to a heading, then it exists', (page) => {
    const missing = linksOf(read(page)).filter((link) => {
      const target = targetOf(page, link);
      return target?.anchor && !anchorsOf(read(target.file)).includes(target.anchor);
    });
    expect(missing).toEqual([]);
  });

  test.each(pages)('when %s names a source file or folder, then it exists', (page) => {
    const named = [...read(page).matchAll(/`([\w./-]+)`/g)].map(([, name]) => name ?? '');
    // A bare file name means a file next to or below the page; only pages of a folder use them.
    const isFile = (name: string) =>
      /\w\.(?:ts|js|vue|lua)$/.test(name) && (name.includes('/') || folderPages.includes(page));
    const isFolder = (name: string) => /(?:^|\/)(?:src|test)\//.test(name);
    const below = folderPages.includes(page) ? filesBelow(join(root, page, '..')) : [];
    const isThere = (name: string) =>
      [root, join(root, page, '..')].some((base) => existsSync(join(base, name))) ||
      below.some((file) => `/${file}`.endsWith(`/${name}`));
    expect(named.filter((name) => (isFile(name) || isFolder(name)) && !isThere(name))).toEqual([]);
  });

  test.each(pages)('when %s names a path of the API, then the service has it', (page) => {
    const known = [...Object.values<Route>(routes), ...Object.values<Route>(adminRoutes)].map(({ path }) =>
      path.replace(':provider', '{provider}'),
    );
    const named = [...read(page).matchAll(/(?<![\w.-])\/api\/[a-z_/]+(?:\{provider\}|\.json)?/g)].map(
      ([path]) => path.replace(/\/$/, ''),
    );
    const also = ['/api/docs', '/api'];
    const groups = known.map((path) => path.split('/').slice(0, 3).join('/'));
    expect(named.filter((path) => ![...known, ...also, ...groups].includes(path))).toEqual([]);
  });

  test.each(pages)('when %s names an npm script, then it exists', (page) => {
    const scriptsOf = (folder: string) => Object.keys(JSON.parse(read(join(folder, 'package.json'))).scripts);
    const named = [...read(page).matchAll(/npm run ([\w:-]+)(?: --workspace (\w+))?/g)];
    expect(
      named.filter(([, script = '', workspace = '.']) => !scriptsOf(workspace).includes(script)),
    ).toEqual([]);
  });

  test.each(pages)('when %s names a setting, then it exists', (page) => {
    const tables = [...new Set(leaves.map(({ path }) => path[0]))].filter((table) =>
      leaves.some(({ path }) => path[0] === table && path.length > 1),
    );
    const names = leaves.map(({ path }) => path.join('.'));
    const known = (name: string) =>
      names.some((each) => each === name || each.startsWith(`${name}.`)) ||
      name.startsWith('providers.') ||
      // Permissions of operators and events look like settings.
      [...permissions, ...webhookEventTypes].some((each) => each === name);
    const pattern = new RegExp(`\`((?:${tables.join('|')})\\.[a-z_.]+[a-z])(?: = [^\`]*)?\``, 'g');
    const named = [...read(page).matchAll(pattern)].map(([, name]) => name ?? '');
    const columns = /^(server|player|withdraw|agent|chat|verify)\./;
    const isFile = (name: string) => name.endsWith('.ts');
    expect(named.filter((name) => !known(name) && !columns.test(name) && !isFile(name))).toEqual([]);
  });

  test('when an event has a field, then docs/webhooks.md names it', () => {
    const rows = new Map(
      [...read('docs/webhooks.md').matchAll(/^\| `([a-z._]+)` \|.*$/gm)].map(([row, name]) => [name, row]),
    );
    const fields = (type: keyof typeof webhookData) => Object.keys(webhookData[type].properties);
    const undocumented = webhookEventTypes.flatMap((type) => {
      const row = rows.get(type) ?? '';
      const like = /\| as `([a-z.]+)` \|$/.exec(row)?.[1];
      const said = like === undefined ? row : (rows.get(like) ?? '');
      return fields(type)
        .filter((field) => !said.includes(`\`${field}\``))
        .map((field) => `${type}.${field}`);
    });
    expect(undocumented).toEqual([]);
  });

  test('when a page names a command, then the CLI has it', async () => {
    const pattern = /(?:(?:`|^ *)gatehouse |npm run gatehouse -- )([a-z]+)/gm;
    const named = new Set(
      pages.flatMap((page) => [...read(page).matchAll(pattern)].map(([, command]) => command ?? '')),
    );
    const { stdout } = await runCli(['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name ?? '');
    expect(named.size).toBeGreaterThan(5);
    expect([...named].filter((each) => !commands.includes(each))).toEqual([]);
  });
});

test('when the examples for game servers are run unchanged, then they work', async () => {
  const key = 'a-key-for-game-servers';
  const open = await startTestApp(freshSqlite());
  const signed = await startTestApp(freshSqlite(), { game_servers: { key } });
  const examples = [...read('docs/game-servers.md').matchAll(/```sh run\n([\s\S]*?)```/g)].map(
    ([, code]) => code ?? '',
  );
  expect(examples.length).toBeGreaterThan(4);
  for (const example of examples) {
    const app = example.includes('GAME_SERVERS_KEY') ? signed : open;
    const known = await app.features.account.players.findByAccount('alice');
    const token = known
      ? app.security.tokens.issue({ playerId: known.id, account: 'alice', version: known.tokenVersion }).token
      : (await app.register('alice')).token;
    const { stdout } = await run('bash', ['-euc', example], {
      env: { PATH: process.env.PATH, GATEHOUSE: app.url, TOKEN: token, GAME_SERVERS_KEY: key },
    });
    const answers = stdout
      .replaceAll('}{', '}\n{')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).not.toHaveProperty('code');
  }
});
