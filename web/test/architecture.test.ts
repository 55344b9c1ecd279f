import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFaults } from './import-rules.ts';

const src = join(import.meta.dirname, '../src');
const sources = new Map(
  globSync('**/*.{ts,vue}', { cwd: src }).map((file) => [file, readFileSync(join(src, file), 'utf8')]),
);

test('when a file imports, then its folder is allowed to, only contract and client are ours, and no cycle exists', () => {
  expect(sources.size).toBeGreaterThan(80);
  expect(importFaults(sources)).toEqual([]);
});

test('when a file is added, then its folder has rules', () => {
  const folders = new Set(
    [...sources.keys()].filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
  );
  expect([...folders].sort()).toEqual([
    'account',
    'announcements',
    'api',
    'auth',
    'forms',
    'i18n',
    'news',
    'router',
    'ui',
    'views',
    'withdraw',
    'zones',
  ]);
});

describe('the import rules themselves', () => {
  const planted = (files: Record<string, string>) =>
    importFaults(new Map([...sources, ...Object.entries(files)]));
  const vue = (script: string) =>
    `<script setup lang="ts">\n${script}\n</script>\n<template><p /></template>\n`;

  test.each([
    ['a value', "import { b } from './b.ts';"],
    ['a type', "import type { B } from './b.ts';"],
    ['an inline type', "import { type B } from './b.ts';"],
    ['a re-exported type', "export type { B } from './b.ts';"],
    ['an import() type', "type B = import('./b.ts').B;"],
    ['a lazy import', "const b = () => import('./b.ts');"],
  ])('when a cycle exists by %s, then it is reported once', (_how, line) => {
    expect(
      planted({ 'ui/a.ts': line, 'ui/b.ts': "import './c.ts';", 'ui/c.ts': "import './a.ts';" }),
    ).toEqual(['cycle: ui/a.ts → ui/b.ts → ui/c.ts → ui/a.ts']);
  });

  test('when a cycle goes through components, then it is reported, and a file that imports itself too', () => {
    const faults = planted({
      'zones/A.vue': vue("import B from './B.vue';"),
      'zones/B.vue': `<script lang="ts">export type X = import('./A.vue').Y;</script>${vue('')}`,
      'zones/self.ts': "import './self.ts';",
    });
    expect(faults).toEqual([
      'cycle: zones/A.vue → zones/B.vue → zones/A.vue',
      'cycle: zones/self.ts → zones/self.ts',
    ]);
  });

  test.each([
    ['ui/X.vue', '../auth/session.ts', 'ui/ may not import auth/'],
    ['ui/X.vue', '../i18n/index.ts', 'ui/ may not import i18n/'],
    ['ui/X.vue', '../api/failure.ts', 'ui/ may not import api/'],
    ['api/X.vue', '../auth/session.ts', 'api/ may not import auth/'],
    ['i18n/X.vue', '../withdraw/amounts.ts', 'i18n/ may not import withdraw/'],
    ['auth/X.vue', '../zones/zones.ts', 'auth/ may not import zones/'],
    ['zones/X.vue', '../auth/promoter.ts', 'zones/ may not import auth/'],
    ['withdraw/X.vue', '../zones/zones.ts', 'withdraw/ may not import zones/'],
    ['zones/X.vue', '../views/layout/TopBar.vue', 'zones/ may not import views/'],
    ['auth/X.vue', '../router/index.ts', 'auth/ may not import router/'],
  ])('when %s imports the type of %s, then it is found', (file, target, fault) => {
    const faults = planted({ [file]: vue(`import type { Y } from '${target}';`) });
    expect(faults.filter((one) => !one.startsWith('cycle'))).toEqual([
      `${file} imports ${target.slice(3)}: ${fault}`,
    ]);
  });

  test.each(['@gatehouse/server', '@gatehouse/playground/zone/zone.ts', 'lodash', 'vue-i18n'])(
    'when a feature imports the package %s, then it is found',
    (name) => {
      expect(planted({ 'auth/x.ts': `import '${name}';` })).toEqual([
        `auth/x.ts imports the package ${name}`,
      ]);
    },
  );

  test.each(['@gatehouse/contract/player', 'vue-router', 'vue-i18n'])(
    'when ui/ imports %s, then it is found',
    (name) => {
      expect(planted({ 'ui/x.ts': `import type { X } from '${name}';` })).toEqual([
        `ui/x.ts imports the package ${name}`,
      ]);
    },
  );

  test('when a file reaches out of web/src, then it is found', () => {
    expect(planted({ 'auth/x.ts': "import '../../../server/src/refusal.ts';" })).toEqual([
      'auth/x.ts imports ../../server/src/refusal.ts, outside of web/src',
    ]);
  });
});
