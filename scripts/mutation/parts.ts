/** A part of the service, and the tests that run against each of its mutants besides those next to its files. */
export interface Part {
  readonly folder: string;
  readonly tests: readonly string[];
}

const inTests = (...names: string[]) => names.map((name) => `server/test/${name}.test.ts`);

const withdrawTests = inTests(
  'withdraw',
  'withdraw-{balances,commands,desk,desk-settle,game-database,gm,gm-command,limits,operators}',
  'withdraw-{recovery,refusals,two-factor,two-people,unconfirmed}',
  'zone-merge',
);

/**
 * What a night runs, in this order. Only tests that call the service in their own process: a mutant is not active in the processes
 * that a test starts.
 */
export const parts: readonly Part[] = [
  {
    folder: 'server/src/security',
    tests: inTests(
      '{argon2-passwords,callbacks,challenge,codes,ended-access,entry-tickets,legacy-tokens,login}',
      '{operator-login,registration,sealing,throttle,throttle-bursts,tokens,two-factor}',
    ),
  },
  {
    folder: 'server/src/features/two-factor',
    tests: inTests('{two-factor,operator-login,withdraw-two-factor,stolen-database}'),
  },
  ...['request', 'process', 'recovery', 'admin', 'store'].map((stage) => ({
    folder: `server/src/features/withdraw/${stage}`,
    tests: withdrawTests,
  })),
  {
    folder: 'server/src/db',
    tests: inTests(
      'db/{account-key,bindings,delete-in-batches,errors,indexes,lookup,migrate,sqlite,tables,transactions}',
      '{chat,chat-writes,stats,backup,controls}',
    ),
  },
];

/** Files without a test that can kill their mutants: the connection to MariaDB, which is not started, and the tables. */
export const leftOut: readonly string[] = [
  'server/src/db/mysql.ts',
  'server/src/db/mysql-{connection,pool}.ts',
  'server/src/db/migrations/*.ts',
];

/** Returns the test files of a folder or file below one of the parts, or of all parts below a folder; otherwise none. */
export function testsOf(target: string): string[] {
  const related = parts.filter(({ folder }) => isBelow(target, folder) || isBelow(folder, target));
  if (related.length === 0) return [];
  const beside = target.endsWith('.ts') ? [] : [`${target}/**/*.test.ts`];
  return [
    ...new Set([...beside, ...related.flatMap(({ folder, tests }) => [`${folder}/**/*.test.ts`, ...tests])]),
  ];
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
