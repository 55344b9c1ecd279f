import { type Import, importCycles, importsIn, type Sources } from '../../test-support/import-graph.ts';

const features = [
  'overview',
  'zones',
  'players',
  'withdrawals',
  'registrations',
  'promoters',
  'chat',
  'announcements',
  'site',
  'controls',
  'audit',
  'operators',
  'webhooks',
  'takeover',
  'system',
];

const base = ['ui', 'api', 'i18n'];
/** What each folder may import besides itself. `main.ts`, `App.vue` and the router compose everything. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  api: [],
  i18n: ['ui', 'api'],
  blocks: [...base],
  session: [...base, 'blocks', 'assets'],
  ...Object.fromEntries(features.map((feature) => [feature, [...base, 'blocks']])),
  layout: [...base, 'blocks', 'session', 'assets'],
  router: ['layout', 'session', ...features],
  '.': [...base, 'blocks', 'router', 'session'],
};

/** The session and its permissions are needed everywhere. */
const SHARED = 'session/session.ts';

const packages: Readonly<Record<string, readonly string[]>> = {
  api: ['@gatehouse/client/challenge', '@gatehouse/contract/admin'],
  ui: ['vue', 'vue-router', 'uplot', 'uplot/dist/uPlot.min.css'],
  i18n: ['vue', 'vue-i18n', '@gatehouse/contract/admin'],
};
const commonPackages = ['vue', 'vue-router', '@gatehouse/contract/admin', '@gatehouse/contract/accent'];
const testPackages = ['vitest', '@vue/test-utils', 'node:fs', 'node:path'];
const SHARED_UI = /^@gatehouse\/web\/ui\//;

/** Returns every import in console/src that the rules forbid. */
export function importFaults(sources: Sources): string[] {
  const faults = importsIn(sources)
    .map(importFault)
    .filter((fault) => fault !== undefined);
  return [...faults, ...importCycles(sources).map((cycle) => `cycle: ${cycle.join(' → ')}`)];
}

/** Returns the first folder of a path; '.' for files next to main.ts. */
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '.') : '.');

export const foldersWithRules = Object.keys(allowed).filter((folder) => folder !== '.');

function importFault({ file, specifier, target }: Import): string | undefined {
  if (target === undefined) return packageFault(file, specifier);
  if (target.startsWith('..')) return `${file} imports ${target}, outside of console/src`;
  const [from, to] = [folderOf(file), folderOf(target)];
  const fine =
    from === to ||
    (allowed[from] ?? []).includes(to) ||
    (target === SHARED && from !== 'ui' && from !== 'api');
  return fine ? undefined : `${file} imports ${target}: ${from}/ may not import ${to}/`;
}

function packageFault(file: string, name: string): string | undefined {
  const may = [
    ...(packages[folderOf(file)] ?? commonPackages),
    ...(file.endsWith('.test.ts') ? testPackages : []),
  ];
  return may.includes(name) || SHARED_UI.test(name) ? undefined : `${file} imports the package ${name}`;
}
