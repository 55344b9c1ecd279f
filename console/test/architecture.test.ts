import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messages as en } from '../src/i18n/locales/en/index.ts';
import { messages as zhCN } from '../src/i18n/locales/zh-CN/index.ts';
import { textAt } from '../src/i18n/text-at.ts';
import { foldersWithRules, importFaults } from './import-rules.ts';

const src = join(import.meta.dirname, '../src');
const sources = new Map(
  globSync('**/*.{ts,vue}', { cwd: src }).map((file) => [file, readFileSync(join(src, file), 'utf8')]),
);

test('when a file imports, then its folder is allowed to, only the contract and ui are ours, and no cycle exists', () => {
  expect(sources.size).toBeGreaterThan(120);
  expect(importFaults(sources)).toEqual([]);
});

test('when a file is added, then its folder has rules', () => {
  const folders = new Set(
    [...sources.keys()].filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
  );
  expect([...folders].sort()).toEqual([...foldersWithRules].sort());
});

test.each([
  ['docs/console.md', en],
  ['docs/zh-CN/console.md', zhCN],
  ['console/README.md', en],
])('when a screen needs a permission, then %s names it', (file, messages) => {
  const text = readFileSync(join(src, '../..', file), 'utf8').toLowerCase();
  const screens = sources.get('router/screens.ts') ?? '';
  const titles = new Set(
    [...screens.matchAll(/title: '([\w.]+)',\s+permission/g)].map(([, title = '']) => title),
  );
  expect(titles.size).toBeGreaterThan(15);
  const named = file.endsWith('README.md') ? text : text.split('\n## ')[1];
  expect(
    [...titles].filter((title) => !named?.includes(String(textAt(messages, title)).toLowerCase())),
  ).toEqual([]);
});

describe('the import rules themselves', () => {
  const planted = (file: string, line: string) =>
    importFaults(new Map([...sources, [file, line]])).filter((fault) => !fault.startsWith('cycle'));

  test.each([
    ['players/x.ts', '../zones/wall.ts', 'players/ may not import zones/'],
    ['players/x.ts', '../session/LoginView.vue', 'players/ may not import session/'],
    ['ui/x.ts', '../i18n/index.ts', 'ui/ may not import i18n/'],
    ['ui/x.ts', '../session/session.ts', 'ui/ may not import session/'],
    ['api/x.ts', '../blocks/toasts.ts', 'api/ may not import blocks/'],
    ['blocks/x.ts', '../players/timeline.ts', 'blocks/ may not import players/'],
    ['audit/x.ts', '../router/index.ts', 'audit/ may not import router/'],
  ])('when %s imports the type of %s, then it is found', (file, target, fault) => {
    expect(planted(file, `import type { Y } from '${target}';`)).toEqual([
      `${file} imports ${target.slice(3)}: ${fault}`,
    ]);
  });

  test.each([
    '@gatehouse/contract',
    '@gatehouse/contract/player',
    '@gatehouse/server',
    '@gatehouse/web/api/client',
    'lodash',
  ])('when a screen imports the package %s, then it is found', (name) => {
    expect(planted('zones/x.ts', `import '${name}';`)).toEqual([`zones/x.ts imports the package ${name}`]);
  });

  test('when a file reaches out of console/src, then it is found', () => {
    expect(planted('zones/x.ts', "import '../../../web/src/api/client.ts';")).toEqual([
      'zones/x.ts imports ../../web/src/api/client.ts, outside of console/src',
    ]);
  });
});
