import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importCycles } from '../../test-support/import-graph.ts';
import { architectureFaults } from './support/import-rules.ts';

const root = resolve(import.meta.dirname, '../..');

function sourcesOf(folder: string, pattern = '**/*.ts'): Map<string, string> {
  const files = globSync(pattern, { cwd: join(root, folder), exclude: ['**/node_modules/**', '**/dist/**'] });
  return new Map(files.map((file) => [file, readFileSync(join(root, folder, file), 'utf8')]));
}

const server = new Map([...sourcesOf('server/src')].filter(([file]) => !file.endsWith('.test.ts')));

test('when a file of the server imports or uses something, then its part may, and no cycle closes', () => {
  expect(server.size).toBeGreaterThan(150);
  expect(architectureFaults(server)).toEqual([]);
});

test.each(['contract', 'server', 'console', 'simulators', 'playground', 'bench', 'scripts', 'test-support'])(
  'when files of %s import each other, then never in a cycle, not even for types',
  (workspace) => {
    expect(importCycles(sourcesOf(workspace))).toEqual([]);
  },
);

test.each(['server', 'contract', 'web', 'console', 'simulators', 'test-support'])(
  'when %s needs a zone, a forum or a mailbox, then it takes the simulators’, not the playground’s',
  (workspace) => {
    const offending = [...sourcesOf(workspace, '**/*.{ts,vue}')].filter(([, text]) =>
      /from '(?:@gatehouse\/playground|(?:\.\.\/)+playground\/)/.test(text),
    );
    expect(offending.map(([file]) => file)).toEqual([]);
  },
);

test('when the web front end imports, then the players’ part of the contract is all of ours that it imports', () => {
  const web = [...sourcesOf('web/src', '**/*.{ts,vue}')];
  const offending = web.filter(([, text]) =>
    /from '(?:@gatehouse\/(?!contract\/(?:player|own-account)')|(?:\.\.\/)+(?:contract|server)\/)/.test(text),
  );
  expect(web.length).toBeGreaterThan(50);
  expect(offending.map(([file]) => file)).toEqual([]);
});

/** Files that import anything of ours but what is allowed. */
const foreign = (sources: Iterable<[string, string]>, ours: RegExp) =>
  [...sources].filter(([, text]) => ours.test(text)).map(([file]) => file);
const NOT_FOR_CONSOLE =
  /from '(?:@gatehouse\/(?!contract\/admin'|web\/ui\/)|(?:\.\.\/)+(?:contract|server|web)\/)/;

test('when the console imports, then the operators’ part of the contract and ui are all of ours that it imports', () => {
  const sources = sourcesOf('console/src', '**/*.{ts,vue}');
  expect(sources.size).toBeGreaterThan(120);
  expect(foreign(sources, NOT_FOR_CONSOLE)).toEqual([]);
});

test.each([
  "import { routes } from '@gatehouse/contract';",
  "import { api } from '@gatehouse/web/api/client';",
  "import { session } from '../../../web/src/auth/session.ts';",
  "import { startService } from '@gatehouse/server/main';",
])('when the console holds “%s”, then it is found', (line) => {
  expect(foreign([['zones/wall.ts', line]], NOT_FOR_CONSOLE)).toEqual(['zones/wall.ts']);
});

describe('what the rules catch', () => {
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
    ['runtime/poll-loop.ts', "import '../security/addresses.ts';", 'runtime may not import security'],
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
    ['http/mount.ts', 'const home = process.env.HOME;', 'uses process.env'],
    ['features/site/pages.ts', "await fetch('http://127.0.0.1');", 'uses fetch'],
    ['features/account/login.ts', 'const rows = sql<{ id: number }>`select 1`;', 'uses SQL'],
    ['cli/player.ts', "import '../features/account/store.ts';", 'cli may not import store'],
    ['cli/player.ts', "db.kysely.selectFrom('player');", 'uses SQL'],
  ])('when %s holds “%s”, then it is found', (file, line, fault) => {
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
  ])('when a cycle closes by %s, then it is found once', (_how, line) => {
    const planted = new Map([
      ['runtime/a.ts', line],
      ['runtime/b.ts', "import './a.ts';"],
    ]);
    expect(architectureFaults(planted)).toEqual(['cycle: runtime/a.ts → runtime/b.ts → runtime/a.ts']);
  });
});
