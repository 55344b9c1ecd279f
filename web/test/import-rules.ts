import { posix } from 'node:path';
import ts from 'typescript';
import { parse } from 'vue/compiler-sfc';

/** Source files of web/src by their path in it. */
export type Sources = ReadonlyMap<string, string>;

export const features = ['account', 'auth', 'withdraw', 'zones'];

/** What each folder may import besides itself. `main.ts`, `App.vue` and the router put everything together. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  api: ['ui'],
  forms: ['ui', 'api'],
  i18n: ['ui', 'api', 'forms'],
  ...Object.fromEntries(features.map((feature) => [feature, ['ui', 'api', 'forms', 'i18n']])),
  views: ['ui', 'api', 'forms', 'i18n', 'assets', ...features],
  router: ['views', 'auth'],
  '.': ['ui', 'api', 'i18n', 'router', 'auth'],
};

/** The files of one feature that others may use: everybody needs to know who is signed in. */
const shared = new Set(['account→auth/session.ts', 'withdraw→auth/session.ts', 'zones→auth/session.ts']);

/** Packages by folder. The contract is the only one of ours, and ui/ does without it. */
const packages: Readonly<Record<string, readonly string[]>> = {
  ui: ['vue'],
  i18n: ['vue', 'vue-i18n', '@gatehouse/contract'],
};
const commonPackages = ['vue', 'vue-router', '@gatehouse/contract'];
const testPackages = ['vitest', '@vue/test-utils', 'node:fs', 'node:path'];

export function importFaults(sources: Sources): string[] {
  const faults = [...sources].flatMap(([file, text]) =>
    specifiersIn(file, text).flatMap((specifier) =>
      specifier.startsWith('.') ? relativeFault(file, specifier) : packageFault(file, specifier),
    ),
  );
  return [...faults, ...circles(sources).map((circle) => `circle: ${circle.join(' → ')}`)];
}

/** Every module a file names: static, dynamic, re-exported and type-only imports, in .vue files too. */
function specifiersIn(file: string, text: string): string[] {
  const scripts = file.endsWith('.vue') ? scriptsOf(text) : /\.ts$/.test(file) ? text : '';
  return ts.preProcessFile(scripts, true, true).importedFiles.map(({ fileName }) => fileName);
}

function scriptsOf(component: string): string {
  const { script, scriptSetup } = parse(component, { ignoreEmpty: false }).descriptor;
  return [script?.content, scriptSetup?.content].join('\n');
}

/** The first folder of a path; '.' for what stands beside main.ts. */
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '.') : '.');
const targetOf = (file: string, specifier: string) => posix.join(posix.dirname(file), specifier);

function relativeFault(file: string, specifier: string): string[] {
  const target = targetOf(file, specifier);
  if (target.startsWith('..')) return [`${file} imports ${target}, outside of web/src`];
  const [from, to] = [folderOf(file), folderOf(target)];
  const fine = from === to || (allowed[from] ?? []).includes(to) || shared.has(`${from}→${target}`);
  return fine ? [] : [`${file} imports ${target}: ${from}/ may not import ${to}/`];
}

function packageFault(file: string, name: string): string[] {
  const may = [
    ...(packages[folderOf(file)] ?? commonPackages),
    ...(file.endsWith('.test.ts') ? [...testPackages, '@gatehouse/contract'] : []),
  ];
  return may.includes(name) ? [] : [`${file} imports the package ${name}`];
}

/** Each circle once, as the files in it, from the alphabetically first back to itself. */
function circles(sources: Sources): string[][] {
  const edges = new Map(
    [...sources].map(([file, text]) => [
      file,
      specifiersIn(file, text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => targetOf(file, specifier))
        .filter((target) => sources.has(target)),
    ]),
  );
  const found = new Map<string, string[]>();
  const finished = new Set<string>();

  function visit(file: string, path: readonly string[]) {
    const start = path.indexOf(file);
    if (start >= 0) {
      const circle = path.slice(start);
      const first = circle.indexOf(circle.toSorted()[0] ?? '');
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      found.set(turned.join(), [...turned, turned[0] ?? '']);
      return;
    }
    if (finished.has(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
    finished.add(file);
  }
  for (const file of edges.keys()) visit(file, []);
  return [...found.values()];
}
