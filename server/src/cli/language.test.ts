import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { runCli } from '../../../test-support/gatehouse.ts';
import { tempDir } from '../../../test-support/process.ts';
import { configOf } from '../../test/support/cli-config.ts';
import { translatorOf } from './language.ts';
import catalogue from './zh-cn.json' with { type: 'json' };

const source = resolve(import.meta.dirname, '..');

/** Files whose texts commands print. */
const FILES = [
  'cli/*.ts',
  'db/backup.ts',
  'db/open.ts',
  'features/doctor/admin/*.ts',
  'features/import/{,admin/}*.ts',
  'features/shadow/*.ts',
  'integrations/old-accounts{,-writer}.ts',
  'settings/{environment,load,problems}.ts',
];

/** Literals of these files that no command prints as its own text. */
const NOT_PRINTED = [
  /^select /i,
  /^(?:gatehouse zone test|--(?:account|role|amount|report)) ?/,
  /^uid \{\}$/,
  /^[Ww]orker /,
  /^withdraw (?:resolve|settle)$/,
  // Names of doctor's checks, by which settings acknowledge them.
  /^(?:database rights|buffer pool|character set|web pages|public_url from outside|zone keys)$/,
  /^(?:zones? \{\} )?(?:\{\}|game port|game database|GM interface)$|^zone set|^SQLite \{\}$/,
  // Scripts of shells.
  /^(?:# gatehouse completion|#compdef| *case )/,
  // The report and the progress of an import.
  /^(?:player \{\}|\{\} \{\} was taken|\{\} for \{\}|unreadable and left out: \{\})$|rows\/s/,
];

/** Returns the literals that read as a sentence or a part of one, with `{}` for each value. */
function textsIn(file: string): string[] {
  const tree = ts.createSourceFile(
    file,
    readFileSync(join(source, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: string[] = [];
  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join(''));
    ts.forEachChild(node, visit);
  }
  visit(tree);
  return found.filter((text) => /[a-z]\s+[A-Za-z{]|\}\s+[a-z]/.test(text));
}

const keyOf = (text: string) => text.replaceAll(/\{\w*\}/g, '{}').trimEnd();

test('when a command can print a text, then a Chinese one with the same values exists', () => {
  const known = new Set(Object.keys(catalogue).map(keyOf));
  const files = globSync(FILES, { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  const missing = files.flatMap((file) =>
    textsIn(file)
      .filter((text) => !known.has(keyOf(text)) && !NOT_PRINTED.some((pattern) => pattern.test(keyOf(text))))
      .map((text) => `${file}: ${text}`),
  );
  expect(missing).toEqual([]);
  const valuesOf = (text: string): string[] => text.match(/\{\w+\}/g) ?? [];
  const wrong = Object.entries(catalogue).filter(([english, chinese]) =>
    valuesOf(chinese).some((value) => !valuesOf(english).includes(value)),
  );
  expect(wrong).toEqual([]);
});

test('when a text has parts, then texts are translated and names are left unchanged', () => {
  const say = translatorOf({
    '{account} {text}': '{account} {text}',
    'is active again': '已恢复正常',
    '{name} is {value} until {part}': '{name} 是 {value}，直到 {part}',
    'added {id}{text}': '已新增 {id}{text}',
    '; {count} players': '；{count} 个玩家',
    'no account': '没有账号',
  });
  expect(say('no account is active again')).toBe('no account 已恢复正常');
  expect(say('nobody is active again')).toBe('nobody 已恢复正常');
  expect(say('nobody is here again')).toBeUndefined();
  expect(say('x is 5 until 2030-01-31')).toBe('x 是 5，直到 2030-01-31');
  expect(say('added 7; 3 players')).toBe('已新增 7；3 个玩家');
  expect(say('added 7')).toBe('已新增 7');
});

test('when the locale or --lang is Chinese, then help, results and refusals are Chinese, and JSON and exit statuses are unchanged', async () => {
  const config = configOf(`sqlite:${tempDir('language')}/gatehouse.db`);
  const env = { LC_ALL: 'zh_CN.UTF-8' };
  const added = await runCli(['deny', 'add', '203.0.113.7'], { config, env });
  expect(added.stdout).toContain('已封禁，编号 1');
  const [help, refused, json] = await Promise.all([
    runCli(['--help', '--lang', 'zh']),
    runCli(['operator', 'invite', 'nobody'], { config, env }),
    runCli(['operator', 'invite', 'nobody', '--json'], { config, env }),
  ]);
  expect(help.stdout).toContain('选项：');
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/^gatehouse: \p{Script=Han}/u) });
  expect(json.code).toBe(3);
  expect(JSON.parse(json.stderr)).toEqual({ error: expect.stringMatching(/^[ -~]+$/), exit_status: 3 });
});
