import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, sectionsOf, targetOf } from './support/markdown.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (page: string) => readFileSync(join(root, page), 'utf8');

const translated = [
  'console',
  'game-servers',
  'install',
  'migration',
  'runbook',
  'settings',
  'withdrawals',
  'zones',
];
const inChinese = new Map([
  ['README.md', 'README.zh-CN.md'],
  ...translated.map((name): [string, string] => [`docs/${name}.md`, `docs/zh-CN/${name}.md`]),
]);
const inEnglish = new Map([...inChinese].map(([english, chinese]) => [chinese, english]));
const pairs = [...inChinese];

/** A link by what it means, so that pages of both languages can be compared: the English file, the heading's place in it. */
function meaningOf(page: string, link: string): string {
  const target = targetOf(page, link);
  if (!target) return link;
  const { file, anchor } = target;
  const place = anchor ? `#${anchorsOf(read(file)).indexOf(anchor)}` : '';
  return `${inEnglish.get(file) ?? file}${place}`;
}

/** All that must not depend on the language. Sections go by number: their titles are words. */
const outline = (page: string, text = read(page)) =>
  sectionsOf(text).map(({ heading, links, ...rest }) => ({
    ...rest,
    links: links.map((link) => meaningOf(page, link)).sort(),
  }));

const withoutSwitch = (text: string) => text.split('\n').filter((line) => !/^(?:\[English\]|English ·)/.test(line));

describe('the Chinese documentation', () => {
  test('when a page is translated, then it is one of those that are kept together', () => {
    expect(globSync('docs/zh-CN/**/*', { cwd: root }).sort()).toEqual(
      pairs.flatMap(([, chinese]) => (chinese.startsWith('docs/') ? chinese : [])).sort(),
    );
  });

  test.each(pairs)('when %s is compared with %s, then headings, code, names, numbers and links agree', (english, chinese) => {
    expect(outline(chinese)).toEqual(outline(english));
  });

  test.each(pairs)('when a reader of %s or %s wants the other language, then it is one click away', (english, chinese) => {
    const [, , toChinese = ''] = read(english).split('\n');
    const [, , toEnglish = ''] = read(chinese).split('\n');
    expect(toChinese).toMatch(/^English · \[简体中文\]\(\S+\)$/);
    expect(toEnglish).toMatch(/^\[English\]\(\S+\) · 简体中文$/);
    expect(targetOf(english, toChinese.slice(17, -1))?.file).toBe(chinese);
    expect(targetOf(chinese, toEnglish.slice(10, -8))?.file).toBe(english);
  });

  test.each(pairs)('when %2$s links to a page, then it is the Chinese one where there is one', (_, chinese) => {
    const links = sectionsOf(withoutSwitch(read(chinese)).join('\n')).flatMap(({ links }) => links);
    const files = links.flatMap((link) => targetOf(chinese, link)?.file ?? []);
    expect(files.filter((file) => inChinese.has(file))).toEqual([]);
  });

  test.each(pairs)('when %s and %s are read, then each is in its language', (english, chinese) => {
    const prose = (page: string) =>
      withoutSwitch(read(page)).join('\n').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`]*`/g, '');
    const untranslated = prose(chinese).split('\n').filter((line) => /(?:[A-Za-z]+ ){6}/.test(line));
    expect(untranslated).toEqual([]);
    expect(prose(english)).not.toMatch(/\p{Script=Han}/u);
  });
});
