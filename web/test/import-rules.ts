import { type Import, importCycles, importsIn, type Sources } from '../../test-support/import-graph.ts';

export const features = ['account', 'announcements', 'auth', 'news', 'withdraw', 'zones'];

/** What each folder may import besides itself. `main.ts`, `App.vue` and the router compose everything. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  api: ['ui'],
  forms: ['ui', 'api'],
  i18n: ['ui', 'api', 'forms'],
  ...Object.fromEntries(features.map((feature) => [feature, ['ui', 'api', 'forms', 'i18n']])),
  views: ['ui', 'api', 'forms', 'i18n', 'assets', ...features],
  router: ['views', 'auth', 'i18n'],
  '.': ['ui', 'api', 'i18n', 'router', 'auth', 'views'],
};

/** Files of one feature that others may use: the session is needed everywhere. */
const shared = new Set([
  'account→auth/session.ts',
  'withdraw→auth/session.ts',
  'zones→auth/session.ts',
  // The own account uses the same password and code fields as the login.
  'account→auth/PasswordField.vue',
  'account→auth/CodeField.vue',
  // Deleting an account warns of the balances in the zones played last.
  'account→withdraw/amounts.ts',
  'account→zones/recent-zones.ts',
]);

/** Packages by folder. Contract and client are our only ones, and ui/ does not use them. */
const packages: Readonly<Record<string, readonly string[]>> = {
  api: ['vue', '@gatehouse/client', '@gatehouse/contract/player'],
  ui: ['vue', 'uqr'],
  i18n: ['vue', '@gatehouse/contract/player'],
};
const commonPackages = [
  'vue',
  'vue-router',
  '@gatehouse/client',
  '@gatehouse/contract/player',
  '@gatehouse/contract/own-account',
  '@gatehouse/contract/accent',
];
const testPackages = ['vitest', '@vue/test-utils', 'node:fs', 'node:path'];

/** Returns every import in web/src that the rules forbid. */
export function importFaults(sources: Sources): string[] {
  const faults = importsIn(sources)
    .map(importFault)
    .filter((fault) => fault !== undefined);
  return [...faults, ...importCycles(sources).map((cycle) => `cycle: ${cycle.join(' → ')}`)];
}

/** Returns the first folder of a path; '.' for files next to main.ts. */
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '.') : '.');

function importFault({ file, specifier, target }: Import): string | undefined {
  if (target === undefined) return packageFault(file, specifier);
  if (target.startsWith('..')) return `${file} imports ${target}, outside of web/src`;
  const [from, to] = [folderOf(file), folderOf(target)];
  const fine = from === to || (allowed[from] ?? []).includes(to) || shared.has(`${from}→${target}`);
  return fine ? undefined : `${file} imports ${target}: ${from}/ may not import ${to}/`;
}

function packageFault(file: string, name: string): string | undefined {
  const may = [
    ...(packages[folderOf(file)] ?? commonPackages),
    ...(file.endsWith('.test.ts') ? [...testPackages, '@gatehouse/contract/player'] : []),
  ];
  return may.includes(name) ? undefined : `${file} imports the package ${name}`;
}
