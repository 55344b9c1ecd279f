import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, linksOf, sectionsOf, targetOf } from './support/markdown.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** For contributors, who work in English. */
const ENGLISH_ONLY = ['docs/style.md'];
const inChinese = new Map([
  ['README.md', 'README.zh-CN.md'],
  ...globSync('docs/*.md', { cwd: root })
    .filter((page) => !ENGLISH_ONLY.includes(page))
    .map((page): [string, string] => [page, page.replace('docs/', 'docs/zh-CN/')]),
]);
const inEnglish = new Map([...inChinese].map(([english, chinese]) => [chinese, english]));
const pairs = [...inChinese].map(([english, chinese]) => ({ english, chinese }));

/** Normalizes a link for comparison between languages: the English file and the index of its heading. */
function meaningOf(page: string, link: string): string {
  const target = targetOf(page, link);
  if (!target) return link;
  const { file, anchor } = target;
  const place = anchor ? `#${anchorsOf(read(file)).indexOf(anchor)}` : '';
  return `${inEnglish.get(file) ?? file}${place}`;
}

/** The language-independent parts of a page. */
const outline = (page: string, text = read(page)) =>
  sectionsOf(text).map(({ heading, links, ...rest }) => ({
    ...rest,
    links: links.map((link) => meaningOf(page, link)).sort(),
  }));

const TO_CHINESE = /^English · \[简体中文\]\((\S+)\)$/m;
const TO_ENGLISH = /^\[English\]\((\S+)\) · 简体中文$/m;

const words = (page: string) =>
  read(page)
    .replace(TO_CHINESE, '')
    .replace(TO_ENGLISH, '')
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .replaceAll(/`[^`]*`/g, '');

describe('the documentation in two languages', () => {
  test('when a page is for operators or for game servers, then it exists in both languages', () => {
    const compared = pairs.map(({ chinese }) => chinese).sort();
    expect(globSync(['README.zh-CN.md', 'docs/zh-CN/**/*.*'], { cwd: root }).sort()).toEqual(compared);
  });

  test.each(pairs)('when $english is changed, then $chinese has the same content', ({ english, chinese }) => {
    expect(outline(chinese)).toEqual(outline(english));
  });

  test.each(pairs)('when $chinese is open, then $english is one click away, and back', (pair) => {
    const { english, chinese } = pair;
    const [, toChinese = ''] = TO_CHINESE.exec(read(english)) ?? [];
    const [, toEnglish = ''] = TO_ENGLISH.exec(read(chinese)) ?? [];
    expect(targetOf(english, toChinese)?.file).toBe(chinese);
    expect(targetOf(chinese, toEnglish)?.file).toBe(english);
  });

  test.each(pairs)(
    'when a link of $chinese is followed, then the language stays if the target has it',
    (pair) => {
      const files = linksOf(words(pair.chinese)).map((link) => targetOf(pair.chinese, link)?.file ?? '');
      expect(files.filter((file) => inChinese.has(file))).toEqual([]);
    },
  );

  test.each(pairs)('when $english and $chinese are read, then each is in its own language', (pair) => {
    const untranslated = words(pair.chinese).match(/(?:[A-Za-z]+ ){6}/g);
    expect(untranslated).toBeNull();
    expect(words(pair.english)).not.toMatch(/\p{Script=Han}{8}/u);
  });
});

describe('the comparison of languages', () => {
  const page = 'docs/zh-CN/install.md';
  const planted = (from: string, to: string) => {
    expect(read(page)).toContain(from);
    return outline(page, read(page).replace(from, to));
  };

  test.each([
    ['a heading is missing', '## 6. 监控\n', ''],
    ['a heading is deeper', '## 容器', '### 容器'],
    ['a heading has another number', '## 容器', '## 6. 监控'],
    ['a command has another option', 'install -m 755 deploy/gatehouse', 'install -m 700 deploy/gatehouse'],
    ['a block is missing', '```sh\ngatehouse doctor', 'gatehouse doctor'],
    ['a block runs as another language', '```sql\nCREATE DATABASE', '```sh\nCREATE DATABASE'],
    ['a setting has another name', '`trust_proxy = ["127.0.0.1"]`', '`trusted = ["127.0.0.1"]`'],
    ['a route is not named', '| `/api/health/live` |', '| |'],
    ['a number differs', '10 秒内', '30 秒内'],
    ['a paragraph is in two', '没有任何实例应答时', '\n\n没有任何实例应答时'],
    ['a row is missing', '| 进程是否活着 | `/api/health/live` |\n', ''],
    ['a link leads elsewhere', '](settings.md)', '](zones.md)'],
    ['a link leads to another heading', '#升级)', '#mariadb)'],
    ['a marker for programs is in one of them', '## 容器', '## 容器\n\n<!-- marker -->'],
  ])('when %s, then it is reported', (_, from, to) => {
    expect(planted(from, to)).not.toEqual(outline('docs/install.md'));
  });

  test.each([
    ['a comment of a block', '# 用作 auth.jwt_secret', '# 填入 auth.jwt_secret'],
    ['a sentence', '单机用它可以撑很久。', '单机用它足够。'],
    [
      'the order of names',
      '`/var/lib/gatehouse` 或 `/var/log/gatehouse`',
      '`/var/log/gatehouse` 或 `/var/lib/gatehouse`',
    ],
  ])('when only %s is worded differently, then nothing is reported', (_, from, to) => {
    expect(planted(from, to)).toEqual(outline('docs/install.md'));
  });
});
