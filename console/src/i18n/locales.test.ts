import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messages as en } from './locales/en/index.ts';
import { messages as zhCN } from './locales/zh-CN/index.ts';
import { textAt } from './text-at.ts';

type Tree = { readonly [key: string]: string | ((params: { named(key: string): unknown }) => string) | Tree };

function textsOf(tree: Tree, prefix = ''): [key: string, text: string, names: string[]][] {
  return Object.entries(tree).flatMap(([key, message]) => {
    if (typeof message === 'object') return textsOf(message, `${prefix}${key}.`);
    const names: string[] = [];
    const text = typeof message === 'function' ? message({ named: (name) => names.push(name) }) : message;
    return [[prefix + key, text, [...new Set(names)].sort()]];
  });
}

const source = join(import.meta.dirname, '..');
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => /\.(vue|ts)$/.test(file) && !file.endsWith('.test.ts') && !file.startsWith('i18n/locales'),
  )
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .join('\n');

test('when a text exists in one language, then it exists in the other with the same parameters', () => {
  const shape = (tree: Tree) =>
    textsOf(tree)
      .map(([key, , names]) => [key, names])
      .sort();
  expect(shape(en as Tree)).toEqual(shape(zhCN as Tree));
});

test('when a page uses a key, then the text exists', () => {
  const families = Object.keys(zhCN).join('|');
  const used = [...code.matchAll(new RegExp(`'((?:${families})\\.[\\w.]+)'`, 'g'))].map(
    ([, key]) => key ?? '',
  );
  expect(used.length).toBeGreaterThan(250);
  // Permissions and audited actions look like keys.
  const missing = used.filter((key) =>
    [key, `permissions.${key}`, `actions.${key}`].every((each) => textAt(zhCN, each) === null),
  );
  expect(missing).toEqual([]);
});

test('when a text is never used, then it is reported', () => {
  const built =
    /^(ban|mute|roles|permissions|playerStatus|zoneStatus|withdrawState|via|subjects|actions|webhookEvents|auditFields)\.|\.(levels|languages|phases|sources|statuses|results|receipts|names|acts|set|kinds|login|refused|event|word|shows|icons|actors)\.|^whys\.|^trouble\.(down|offline)|^overview\.(registrations|logins|players|entries)|^reconciliation\.|^promoters\.(registrations|entered|returned)|^withdrawals\.(done|failed)(Title|Text|Act|Propose)$|^players\.(unban|unmute|resetTwoFactor|signOut|unlock)\.|^takeover\.(entries|steps|clear|points|next)\.|^help\./;
  const unused = textsOf(zhCN as Tree)
    .map(([key]) => key)
    .filter((key) => !built.test(key) && !code.includes(`'${key}'`));
  expect(unused).toEqual([]);
});

test('when an operator reads English, then no Chinese is shown, and the other way round', () => {
  const chinese = textsOf(en as Tree)
    .filter(([, text]) => /\p{Script=Han}/u.test(text))
    .map(([key]) => key);
  expect(chinese).toEqual(['common.language', 'common.languageLabel']);
  for (const [key, text] of textsOf(zhCN as Tree))
    if (!/^common\.language|^zones\.status\.text/.test(key)) expect(text, key).toMatch(/\p{Script=Han}/u);
});

test('when the service writes why a withdrawal changed, then the console has a text for it', () => {
  const server = join(source, '../../server/src');
  const written = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(features.withdraw.|integrations.(gm-command|send-once|zone-driver)\.ts)/.test(file))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(server, file), 'utf8').matchAll(/\bwhy(?:: | = )'([^']+)'/g)])
    .map(([, why]) => `whys.${why}`);
  expect(written.length).toBeGreaterThan(15);
  expect(written.filter((key) => textAt(zhCN, key) === null)).toEqual([]);
});

test('when a figure counts logins on any later day, then it is not called retention of the next day', () => {
  expect(textAt(zhCN, 'promoters.returned')).not.toMatch(/次日|留存/);
});

test('when a code of the contract contains a dot, then its text is found', () => {
  expect(textAt(zhCN, 'actions.player.ban')).toBe('封停玩家');
  expect(textAt(zhCN, 'controls.names.withdraw.enabled')).toBe('提现');
  expect(textAt(zhCN, 'actions.nothing.such')).toBeNull();
  expect(textAt(zhCN, 'constructor.name')).toBeNull();
});
