import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importCycles, importsIn, type Sources } from '../../test-support/import-graph.ts';
import { architectureFaults } from './support/import-rules.ts';

const root = resolve(import.meta.dirname, '../..');

function sourcesOf(folder: string, pattern = '**/*.ts'): Map<string, string> {
  const files = globSync(pattern, { cwd: join(root, folder), exclude: ['**/node_modules/**', '**/dist/**'] });
  return new Map(files.map((file) => [file, readFileSync(join(root, folder, file), 'utf8')]));
}

const server = new Map([...sourcesOf('server/src')].filter(([file]) => !file.endsWith('.test.ts')));

test('when a server file imports or uses something, then its part is allowed to, and no cycle exists', () => {
  expect(server.size).toBeGreaterThan(150);
  expect(architectureFaults(server)).toEqual([]);
});

test.each([
  'contract',
  'client',
  'server',
  'console',
  'simulators',
  'playground',
  'bench',
  'scripts',
  'test-support',
])('when files of %s import each other, then never in a cycle, not even for types', (workspace) => {
  expect(importCycles(sourcesOf(workspace))).toEqual([]);
});

/** Imports forbidden to files of other workspaces, by name or by path. */
const forbidden = {
  playground: /^@gatehouse\/playground\b|^(?:\.\.\/)+playground\//,
  web: /^@gatehouse\/(?!client$|contract\/(?:player|own-account|accent)$)|^(?:\.\.\/)+(?:client|contract|server)\//,
  console:
    /^@gatehouse\/(?!client\/challenge$|contract\/(?:admin|accent)$|web\/ui\/)|^(?:\.\.\/)+(?:client|contract|server|web)\//,
  client: /^(?!\.)/,
};
const importersOf = (sources: Sources, what: RegExp) =>
  importsIn(sources)
    .filter(({ specifier }) => what.test(specifier))
    .map(({ file }) => file);

test.each(['server', 'contract', 'client', 'web', 'console', 'simulators', 'test-support'])(
  'when %s needs a zone, a forum or a mailbox, then it uses the simulators’, not the playground’s',
  (workspace) => {
    const sources = sourcesOf(workspace, '**/*.{ts,vue}');
    expect(importersOf(sources, forbidden.playground)).toEqual([]);
  },
);

test.each([
  ['web', 'the client, the players’ part of the contract and the accent are all of ours that it imports', 50],
  [
    'console',
    'the solver, the operators’ part of the contract, the accent and ui are all of ours that it imports',
    120,
  ],
] as const)('when the pages of %s import, then %s', (workspace, _only, files) => {
  const sources = sourcesOf(`${workspace}/src`, '**/*.{ts,vue}');
  expect(sources.size).toBeGreaterThan(files);
  expect(importersOf(sources, forbidden[workspace])).toEqual([]);
});

test('when the client imports, then only its own files, and for game servers also Node’s crypto', () => {
  const sources = [...sourcesOf('client/src')].filter(([file]) => !file.endsWith('.test.ts'));
  const [server, browser] = [true, false].map(
    (isServer) => new Map(sources.filter(([file]) => file.startsWith('server/') === isServer)),
  );
  expect(browser?.size).toBeGreaterThan(5);
  expect(importersOf(browser ?? new Map(), forbidden.client)).toEqual([]);
  const packages = importsIn(server ?? new Map()).filter(({ specifier }) => forbidden.client.test(specifier));
  expect(new Set(packages.map(({ specifier }) => specifier))).toEqual(new Set(['node:crypto']));
});

test.each([
  ['playground', "import { startPlayground } from '@gatehouse/playground/start';"],
  ['playground', "import '../playground/src/start.ts';"],
  ['playground', "const mailbox = await import('../../playground/src/mailbox.ts');"],
  ['web', "import { routes } from '@gatehouse/contract/admin';"],
  ['web', "import { checkPlayer } from '@gatehouse/client/server';"],
  ['web', "import type { Db } from '@gatehouse/server/db/open';"],
  ['web', "export type { Refusal } from '../../../server/src/refusal.ts';"],
  ['console', "import { routes } from '@gatehouse/contract';"],
  ['console', "import { api } from '@gatehouse/web/api/client';"],
  ['console', "import { session } from '../../../web/src/auth/session.ts';"],
  ['console', "import '@gatehouse/server/main';"],
  ['console', "import { createClient } from '@gatehouse/client';"],
  ['client', "import type { Route } from '@gatehouse/contract';"],
  ['client', "import { hash } from 'node:crypto';"],
] as const)('when what %s forbids is imported by “%s”, then it is reported', (rule, line) => {
  expect(importersOf(new Map([['zones/x.ts', line]]), forbidden[rule])).toEqual(['zones/x.ts']);
});

describe('the import rules themselves', () => {
  test.each([
    ['features/account/store.ts', "import '../../http/mount.ts';", 'store may not import http'],
    [
      'features/account/login.ts',
      "import '../../integrations/mailer.ts';",
      'rule may not import integrations',
    ],
    ['features/account/routes.ts', "import './store.ts';", 'routes may not import store'],
    [
      'features/chat/report.ts',
      "import type { A } from '../account/login.ts';",
      'feature chat may not know account',
    ],
    ['http/mount.ts', "import type { Z } from '../features/zones/store.ts';", 'http may not import store'],
    ['runtime/job.ts', "import '../security/addresses.ts';", 'runtime may not import security'],
    [
      'security/tokens.ts',
      "import type { S } from '../settings/live.ts';",
      'security may not import settings',
    ],
    ['cli/player.ts', "import '../features/account/store.ts';", 'cli may not import store'],
    ['features/audit/store.ts', "import '../../security/addresses.ts';", 'audit may not import security'],
    ['features/withdraw/withdrawal.ts', "import './store/store.ts';", 'domain may not import store'],
    ['features/zones/routes.ts', "import '../../../test/x.ts';", 'outside of server/src'],
    ['misplaced.ts', '', 'belongs to no part'],
    ['http/mount.ts', "import './fast-path/fast-path.ts';", 'http may not import fast path'],
    ['http/headers.ts', "import type { P } from './server.ts';", 'http may not import http server'],
    ['http/headers.ts', 'const sent = response._header;', 'uses an undocumented field'],
    ['http/pre-router.ts', 'socket.parser.onIncoming = skip;', 'uses an undocumented field'],
    [
      'features/zones/zone-cache.ts',
      'const text = new Date(until).toISOString();',
      'uses its own time format',
    ],
    ['features/site/pages.ts', 'const at = Date.parse(text);', 'uses its own time format'],
    ['features/chat/module.ts', 'const timer = setInterval(work, 1000);', 'uses a repeating timer'],
    [
      'features/zones/admin/change.ts',
      'if (!zone) return undefined;',
      'uses a not-found answer other than a Refusal',
    ],
    [
      'features/zones/admin/change.ts',
      '/** Removes a zone. Returns false if there is no such zone. */',
      'uses a not-found answer other than a Refusal',
    ],
    ['http/mount.ts', 'const home = process.env.HOME;', 'uses process.env'],
    ['features/site/pages.ts', "await fetch('http://127.0.0.1');", 'uses fetch'],
    ['features/account/login.ts', 'const rows = sql<{ id: number }>`select 1`;', 'uses SQL'],
    ['cli/player.ts', "db.kysely.selectFrom('player');", 'uses SQL'],
  ])('when %s contains “%s”, then it is reported', (file, line, fault) => {
    const planted = new Map([...server, [file, line]]);
    expect(architectureFaults(planted).filter((each) => !each.startsWith('cycle'))).toEqual([
      expect.stringContaining(fault),
    ]);
  });

  test.each([
    ['a value', "import { b } from './b.ts';"],
    ['a type', "import type { B } from './b.ts';"],
    ['a re-exported type', "export type { B } from './b.ts';"],
    ['an import() type', "type B = import('./b.ts').B;"],
  ])('when a cycle exists by %s, then it is reported once', (_how, line) => {
    const planted = new Map([
      ['runtime/a.ts', line],
      ['runtime/b.ts', "import './a.ts';"],
    ]);
    expect(architectureFaults(planted)).toEqual(['cycle: runtime/a.ts → runtime/b.ts → runtime/a.ts']);
  });
});
