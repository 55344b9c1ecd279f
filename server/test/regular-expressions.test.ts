import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { analyse, type Literal } from 'scslre';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

interface Found extends Literal {
  readonly file: string;
}

/** Returns every regular expression literal of a source file, and every `pattern` of a schema, which is compiled to one. */
function expressionsIn(file: string, text: string): Found[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: Found[] = [];
  function visit(node: ts.Node): void {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      ts.isPropertyAssignment(node) &&
      node.name.getText(source) === 'pattern' &&
      ts.isStringLiteralLike(node.initializer)
    ) {
      found.push({ file, source: node.initializer.text, flags: '' });
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found;
}

/** Returns those that take superlinear time on some input. */
const superLinear = (found: readonly Found[]) =>
  found
    .filter((each) => analyse(each).reports.length > 0)
    .map(({ file, source, flags }) => `${file}: /${source}/${flags}`);

const MANY = 20_000;
const SLOW_MICROSECONDS = 100_000;

/** Measures CPU time, which does not grow on a busy machine. */
function isSlow(expression: RegExp, text: string): boolean {
  const start = process.threadCpuUsage();
  text.search(expression);
  return process.threadCpuUsage(start).user > SLOW_MICROSECONDS;
}

/**
 * Returns those that are slow on a text that repeats one of their own words. The analysis misses an expression that begins with a
 * word, such as `/ab\w+;/`: it may begin at each `ab` of `ababab…`, and reads the text to its end each time.
 */
const slowOnOwnWords = (found: readonly Found[]) =>
  found
    .filter(({ source, flags }) => {
      const expression = new RegExp(source, flags);
      const words = new Set(source.replaceAll(/\\[a-zA-Z]/g, ' ').match(/[a-z]{2,}/gi));
      return [...words].some((word) => isSlow(expression, word.repeat(MANY / word.length)));
    })
    .map(({ file, source, flags }) => `${file}: /${source}/${flags}`);

const sources = globSync('{server,contract}/src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

test('when a regular expression of the server or the contract gets any input, then its time is linear', () => {
  const found = sources.flatMap(({ file, text }) => expressionsIn(file, text));
  expect(found.length).toBeGreaterThan(70);
  expect(superLinear(found)).toEqual([]);
  expect(slowOnOwnWords(found)).toEqual([]);
});

test('when an expression is composed at run time, then its parts are known', () => {
  const composed = sources.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ file }) => file);
  expect(composed.sort()).toEqual([
    // The escaped texts of the catalogue, with `(.*?)` for each value, matched against the lines that commands print.
    'server/src/cli/language.ts',
    // Escaped names of one player, none repeated, matched against the short texts of audit rows.
    'server/src/features/own-account/export-account.ts',
    // The paths of our own routes, with `[^/]+` for each parameter.
    'server/src/http/errors.ts',
  ]);
});

test('when an expression takes quadratic or exponential time, then it is reported', () => {
  const text = String.raw`
    path.replace(/\/+$/, '');
    /(a+)+b/.test(path);
    /\s*,\s*/.exec(path);
    /^\d+\.\d+$/.test(path);
    schema({ pattern: '^.*x.*y$' });
  `;
  expect(superLinear(expressionsIn('x.ts', text))).toEqual([
    String.raw`x.ts: /\/+$/`,
    'x.ts: /(a+)+b/',
    String.raw`x.ts: /\s*,\s*/`,
    'x.ts: /^.*x.*y$/',
  ]);
  const words = String.raw`
    /key[\w-]+\.[\w-]+/g.exec(path);
    /(?<!\w)key\w+\./.exec(path);
  `;
  expect(slowOnOwnWords(expressionsIn('x.ts', words))).toEqual([String.raw`x.ts: /key[\w-]+\.[\w-]+/g`]);
});
