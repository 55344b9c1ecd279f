import { type Import, importCycles, importsIn, type Sources } from '../../../test-support/import-graph.ts';

/** The parts of server/src; the first match applies. */
const parts: readonly (readonly [part: string, belongs: RegExp])[] = [
  ['main', /^main\.ts$/],
  ['app', /^app\.ts$/],
  ['feature', /^feature\.ts$/],
  ['refusal', /^refusal\.ts$/],
  ['runtime', /^runtime\//],
  ['urls', /^urls\//],
  ['logging', /^logging\//],
  ['settings', /^settings\//],
  ['http server', /^http\/server\.ts$/],
  ['fast path', /^http\/fast-path\//],
  ['http', /^http\//],
  ['security', /^security\//],
  ['integrations', /^integrations\//],
  ['db', /^db\//],
  ['cli', /^cli\//],
  ['audit', /^features\/audit\/(?!module|admin)/],
  ['admin routes', /^features\/[\w-]+\/admin\/routes\.ts$/],
  ['admin module', /^features\/[\w-]+\/admin\/module\.ts$/],
  ['module', /^features\/[\w-]+\/module\.ts$/],
  ['routes', /^features\/[\w-]+\/(?:[\w-]+-)?(?:routes|pages)\.ts$/],
  ['store', /^features\/[\w-]+\/(?:[\w-]+\/)?(?:[\w-]+-)?store\.ts$/],
  ['domain', /^features\/(?:withdraw\/withdrawal|operators\/operator)\.ts$/],
  ['admin rule', /^features\/[\w-]+\/admin\//],
  ['rule', /^features\//],
];

const EVERY_PART = ['refusal', 'logging type', 'runtime'];

/** Allowed imports by part. `store type` and the like: types only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  main: ['app', 'settings', 'db', 'integrations', 'security', 'http', 'logging', 'routes'],
  app: [
    'feature',
    'module',
    'admin module',
    'routes',
    'rule type',
    'http server',
    'http',
    'db',
    'security',
    'settings type',
    'audit',
  ],
  feature: ['settings type', 'db type', 'http type', 'integrations type', 'security type'],
  refusal: [],
  runtime: [],
  urls: [],
  logging: ['settings type'],
  settings: ['security', 'urls'],
  'http server': ['http', 'fast path', 'security'],
  'fast path': ['http', 'security'],
  http: ['security'],
  security: [],
  integrations: ['security', 'settings type', 'urls'],
  db: ['security', 'urls'],
  cli: [
    'main',
    'app type',
    'settings',
    'db',
    'security',
    'integrations',
    'http',
    'urls',
    'logging',
    'admin module',
    'admin rule',
    'rule',
    'store type',
    'routes',
    'module',
    'domain',
    'audit',
  ],
  audit: ['db'],
  module: [
    'feature type',
    'routes',
    'admin routes',
    'rule',
    'store',
    'domain',
    'admin module',
    'http type',
    'security',
    'integrations',
    'settings',
    'db',
    'audit',
  ],
  'admin module': [
    'module',
    'admin rule',
    'store',
    'rule',
    'domain',
    'db',
    'security',
    'settings',
    'integrations',
    'audit',
  ],
  'admin routes': [
    'http',
    'admin rule',
    'admin module type',
    'store type',
    'domain',
    'security',
    'settings type',
    'audit type',
  ],
  'admin rule': [
    'urls',
    'rule',
    'store',
    'domain',
    'security',
    'settings',
    'audit',
    'db type',
    'integrations type',
  ],
  domain: [],
  routes: ['http', 'rule', 'domain', 'store type', 'security type', 'settings type', 'integrations type'],
  store: ['db', 'security', 'domain'],
  rule: ['store', 'domain', 'security', 'settings', 'http', 'integrations type', 'db type', 'audit type'],
};

/** Features whose rules may import another's. */
const featureDependencies = new Set([
  'account→codes',
  'account→history',
  'account→legacy-tokens',
  'account→notices',
  'account→tickets',
  'account→zones',
  'withdraw→notices',
  'withdraw→zones',
  'forum→account',
  'forum→history',
  'forum→notices',
  'codes→notices',
  'import→account',
  'own-account→account',
  'own-account→codes',
  'own-account→forum',
  'own-account→history',
  'own-account→notices',
  'own-account→two-factor',
  'shadow→account',
  'shadow→tickets',
  'site→codes',
  'operators→two-factor',
  'account→two-factor',
  'account→history',
  'conformance→account',
  'conformance→tickets',
  'conformance→zones',
  'doctor→sealing',
  'doctor→site',
  'doctor→zones',
]);

/** What only some parts may use, with a pattern that recognises it. */
const confined: readonly (readonly [what: string, use: RegExp, where: RegExp])[] = [
  ['process.env', /process\.env\b/, /^settings\/|^cli\/(?:actor|language)\.ts$/],
  // The API page's samples and script run in the reader's browser.
  ['fetch', /\bfetch\(/, /^integrations\/|^http\/docs\/(?:samples|script)\.ts$/],
  ['an undocumented field', /\._[a-z]|\['_[a-z]|\bsocket\.parser\b|\bonIncoming\b/, /^http\/fast-path\//],
  // Only one module parses and formats times; fields of log lines and messages are texts that it made.
  [
    'its own time format',
    /\.toISOString\(|\bDate\.parse\(/,
    /^runtime\/time\.ts$|^cli\/|^features\/(?:doctor|announcements|import)\//,
  ],
  // One job runner: interval, lease, no overlap, a close that waits.
  ['a repeating timer', /\bsetInterval\(/, /^$/],
  [
    'a not-found answer other than a Refusal',
    /\bif \(![\w.?]+\) return (?:undefined|false);|[Rr]eturns (?:undefined|false) if there is no/,
    /^(?!features\/[\w-]+\/admin\/)|store\.ts$/,
  ],
  [
    'SQL',
    /\b(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\bsql(?:<[^`]*>)?`/,
    /^db\/|store\.ts$|^integrations\/(?:game-database|old-accounts)\.ts$/,
  ],
];

export const partOf = (file: string) => parts.find(([, belongs]) => belongs.test(file))?.[0] ?? 'none';
const featureOf = (file: string) => /^features\/([\w-]+)\//.exec(file)?.[1];

function importFault({ file, target, typeOnly }: Import): string | undefined {
  if (target === undefined || target.endsWith('.json')) return undefined;
  if (target.startsWith('..')) return `${file} imports ${target}, outside of server/src`;
  const [from, to] = [partOf(file), partOf(target)];
  const [own, other] = [featureOf(file), featureOf(target)];
  const crosses = own !== undefined && other !== undefined && own !== other;
  if (crosses && to !== 'audit' && !featureDependencies.has(`${own}→${other}`))
    return `${file} imports ${target}: feature ${own} may not know ${other}`;
  if (from === to && !crosses) return undefined;
  const may = [...EVERY_PART, ...(allowed[from] ?? [])];
  if (may.includes(to) || (typeOnly && may.includes(`${to} type`)) || (crosses && to === from))
    return undefined;
  return `${file} imports ${target}: ${from} may not import ${to}`;
}

/** Returns everything in these files of server/src that the rules forbid. */
export function architectureFaults(sources: Sources): string[] {
  const unassigned = [...sources.keys()].filter((file) => partOf(file) === 'none');
  const misplaced = [...sources].flatMap(([file, text]) =>
    confined
      .filter(([, use, where]) => use.test(text) && !where.test(file))
      .map(([what]) => `${file} uses ${what}`),
  );
  return [
    ...unassigned.map((file) => `${file} belongs to no part`),
    ...importsIn(sources)
      .map(importFault)
      .filter((fault) => fault !== undefined),
    ...misplaced,
    ...importCycles(sources).map((cycle) => `cycle: ${cycle.join(' → ')}`),
  ];
}
