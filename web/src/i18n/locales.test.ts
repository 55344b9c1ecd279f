import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountEn } from './locales/account-en.ts';
import { accountZhCN } from './locales/account-zh-CN.ts';
import { en as commonEn } from './locales/en.ts';
import { zhCN as commonZhCN } from './locales/zh-CN.ts';

const zhCN = { ...commonZhCN, ...accountZhCN };
const en = { ...commonEn, ...accountEn };

type Tree = { readonly [key: string]: string | ((params: { named(key: string): unknown }) => string) | Tree };

function keysOf(tree: Tree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'object' ? keysOf(value, `${prefix}${key}.`) : [prefix + key],
  );
}

const note = (names: string[], name: string) => {
  names.push(name);
  return name;
};

function textsOf(tree: Tree): [key: string, text: string, names: string[]][] {
  return keysOf(tree).map((key) => {
    const message = key.split('.').reduce<Tree[string]>((node, part) => (node as Tree)[part] ?? '', tree);
    const names: string[] = [];
    const text =
      typeof message === 'function' ? message({ named: (name) => note(names, name) }) : String(message);
    return [key, text, [...new Set(names)].sort()];
  });
}

const source = join(import.meta.dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.(vue|ts)$/.test(file),
);
const code = files
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('i18n/locales'))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n');

test('when a text exists in one language, then it exists in the other with the same parameters', () => {
  const shape = (tree: Tree) => textsOf(tree).map(([key, , names]) => [key, names]);
  expect(shape(en)).toEqual(shape(zhCN));
});

test('when the page uses a key, then the text exists', () => {
  const known = new Set(keysOf(zhCN));
  const used = [
    ...code.matchAll(
      /'((?:fields|time|trouble|common|login|forum|home|bindings|play|withdraw|agree|announcement|news|notFound|account|secondFactor)\.[\w.]+)'/g,
    ),
  ];
  expect(used.length).toBeGreaterThan(80);
  expect(used.map(([, key]) => key).filter((key) => key !== undefined && !known.has(key))).toEqual([]);
});

test('when a text is never used, then it is reported', () => {
  const families =
    /^(refusals|issues|amountIssues|strength|zoneStatus|zoneTabs|zoneFilters|zoneWhy|historyFilters|withdrawStates)\.|^fields\.\w+\.(malformed|required|too_short)$/;
  const built =
    /^(withdraw\.(done|open|failed|lost)(Title|Text)|trouble\.(offline|down)(Title)?|login\.(login|register|reset|forum_\w+)|forum\.(create|existing)(Text)?|home\.(upcoming|unreached)|account\.kinds\.\w+)$/;
  const unused = keysOf(zhCN).filter(
    (key) => !families.test(key) && !built.test(key) && !code.includes(`'${key}'`),
  );
  expect(unused).toEqual([]);
});

test('when the page mentions zones and withdrawals, then it uses the terms of the service and the agreement', () => {
  for (const [key, text] of textsOf(zhCN)) expect(text, key).not.toMatch(/大区|提取/);
});

test('when a name in a Chinese text is Latin, then spaces surround it', () => {
  const named = (name: string) => ({ named: () => name });
  expect(zhCN.login.with(named('Flarum'))).toBe('使用 Flarum 登录');
  expect(zhCN.login.with(named('论坛'))).toBe('使用论坛登录');
  expect(zhCN.bindings.bind(named('灯火 BBS'))).toBe('绑定灯火 BBS');
});

test('when the page mentions passwords, then it states no length: that is a setting of the service', () => {
  for (const [key, text] of [...textsOf(zhCN), ...textsOf(en)])
    if (/password/i.test(key)) expect(text, key).not.toMatch(/\d/);
});

test('when a player reads English, then no Chinese is shown, and the other way round', () => {
  const chinese = textsOf(en)
    .filter(([, text]) => /\p{Script=Han}/u.test(text))
    .map(([key]) => key);
  expect(chinese).toEqual(['common.language', 'common.languageLabel']);
  for (const [key, text] of textsOf(zhCN)) {
    if (!key.startsWith('common.language')) expect(text, key).toMatch(/\p{Script=Han}/u);
  }
});
