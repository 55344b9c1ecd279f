import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const source = resolve(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));

/** The rooms of the app. `app` puts things together, `words` is what a feature's rules and stores talk about. */
const rooms: [room: string, belongs: (file: string) => boolean][] = [
  ['main', (file) => file === 'main.ts'],
  ['app', (file) => /^(app|services|features\/[\w-]+\/open)\.ts$/.test(file)],
  ['refusal', (file) => file === 'refusal.ts'],
  ['runtime', (file) => file.startsWith('runtime/')],
  ['urls', (file) => file.startsWith('urls/')],
  ['logging', (file) => file.startsWith('logging/')],
  ['settings', (file) => file.startsWith('settings/')],
  ['http', (file) => file.startsWith('http/')],
  ['security', (file) => file.startsWith('security/')],
  ['integrations', (file) => file.startsWith('integrations/')],
  ['db', (file) => file.startsWith('db/')],
  ['cli', (file) => file.startsWith('cli/')],
  ['words', (file) => file === 'features/withdraw/withdrawal.ts'],
  ['routes', (file) => /^features\/[\w-]+\/(routes|pages)\.ts$/.test(file)],
  ['store', (file) => /^features\/[\w-]+\/(?:store\/)?(?:[\w-]+-)?store\.ts$/.test(file)],
  ['rule', (file) => file.startsWith('features/')],
];

/** Who may import whom. `store type` and the like: types only. The type `Log` is everybody's. */
const allowed: Record<string, string[]> = {
  main: ['app', 'runtime', 'settings', 'db', 'integrations', 'security', 'http', 'logging', 'routes'],
  app: ['settings', 'http', 'db', 'integrations', 'security', 'refusal', 'routes', 'store', 'rule', 'words'],
  refusal: [],
  runtime: [],
  urls: [],
  logging: ['settings type'],
  settings: ['security', 'urls'],
  http: ['refusal', 'security', 'runtime'],
  security: ['refusal', 'runtime'],
  integrations: ['refusal', 'security', 'settings type', 'runtime', 'urls'],
  db: ['security', 'runtime', 'urls'],
  cli: [
    'app',
    'words',
    'main',
    'settings',
    'db',
    'store',
    'rule',
    'integrations',
    'security',
    'refusal',
    'http',
    'urls',
    'logging',
    'routes',
  ],
  words: [],
  routes: [
    'http',
    'rule',
    'words',
    'refusal',
    'store type',
    'security type',
    'settings type',
    'integrations type',
  ],
  store: ['db', 'security', 'words'],
  rule: [
    'refusal',
    'store',
    'words',
    'security',
    'settings',
    'rule',
    'http',
    'runtime',
    'integrations type',
    'db type',
  ],
};

/** Which feature's rules may know another's. */
const features = new Set(['account→codes', 'account→zones', 'withdraw→zones', 'forum→account', 'site→codes']);

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gms,
  );
  return [...statements].map(([, type, path, dynamic]) => ({
    file,
    target: relative(source, resolve(source, dirname(file), path ?? dynamic ?? '')),
    typeOnly: type !== undefined,
  }));
}

const roomOf = (file: string) => rooms.find(([, belongs]) => belongs(file))?.[0] ?? 'nowhere';
const featureOf = (file: string) => /^features\/([\w-]+)\//.exec(file)?.[1];

function fault({ file, target, typeOnly }: Import): string | undefined {
  const [from, to] = [roomOf(file), roomOf(target)];
  const [own, other] = [featureOf(file), featureOf(target)];
  if (own !== undefined && other !== undefined && own !== other && !features.has(`${own}→${other}`)) {
    return `${file} imports ${target}: feature ${own} may not know ${other}`;
  }
  if (from === to && (own === other || from === 'app')) return undefined;
  if (typeOnly && target === 'logging/log.ts') return undefined;
  const may = allowed[from] ?? [];
  if (may.includes(to) || (typeOnly && may.includes(`${to} type`))) return undefined;
  return `${file} imports ${target}: ${from} may not import ${to}`;
}

describe('the app', () => {
  test('when a file imports another, then its room may', () => {
    const imports = files.flatMap(importsOf).filter(({ target }) => target.endsWith('.ts'));
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.map(fault).filter((each) => each !== undefined)).toEqual([]);
  });

  test('when a file is written, then it stands in a room', () => {
    expect(files.filter((file) => roomOf(file) === 'nowhere')).toEqual([]);
  });

  test.each([
    ['process.env', /process\.env\b/, /^settings\/|^cli\/operator\.ts/],
    ['fetch', /\bfetch\(/, /^integrations\//],
    [
      'SQL',
      /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/,
      /(^db\/)|(store\.ts$)|(^integrations\/game-database)/,
    ],
  ])('when code uses %s, then only where that belongs', (_name, pattern, where) => {
    const users = files.filter((file) => pattern.test(readFileSync(join(source, file), 'utf8')));
    expect(users.filter((file) => !where.test(file))).toEqual([]);
  });

  test('when the web front end imports, then the contract is all it knows of us', () => {
    const web = resolve(source, '../../web/src');
    const foreign = globSync('**/*.{ts,vue}', { cwd: web }).filter((file) =>
      /from '(?:@gatehouse\/(?!contract)|\.\.\/\.\.\/\.\.\/)/.test(readFileSync(join(web, file), 'utf8')),
    );
    expect(foreign).toEqual([]);
  });
});
