import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import { Shuffled, SlowestFirst } from './test-support/sequencer.ts';

// Cache what is compiled: every test file is a process, and many start more.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

/** Generous for a busy machine; a poll ends as soon as its condition holds. */
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 40_000 } } };
/**
 * `npm test` runs the first tier, `npm run test:slow` the files that end in .slow.test.ts and the second pass of HTTP tests. Vitest
 * called directly runs any file, also those that end in .long.test.ts and have a command of their own.
 */
const tier = process.env.TEST_TIER;
const tierExcludes: Record<string, string[]> = {
  first: ['**/*.{slow,long}.test.ts'],
  slow: ['**/!(*.slow).test.ts'],
};
const exclude = ['**/node_modules/**', '**/dist/**', ...(tierExcludes[tier ?? ''] ?? [])];
/** Set by `npm run test:shake`. */
const seed = process.env.TEST_SEED === undefined ? undefined : Number(process.env.TEST_SEED);
/**
 * Files that share a worker one after another import what they test once, which takes longer than most of them run. Files that
 * start many processes have their own worker.
 */
const sharedWorker = { isolate: false, setupFiles: './test-support/between-files.ts' };
const apart = [
  'server/test/fuzz/*.test.ts',
  'server/test/{instances,running-process,start,workers}{,.slow}.test.ts',
];
/** Fault runs, whose callers have deadlines: one at a time, and nothing else runs meanwhile. */
const faultRuns = 'server/test/{cluster,hostile,merge,money,takeover}/*.slow.test.ts';
/**
 * The tests of routes that may take the fast path, and of what every request passes. The slow tier runs them once more without it;
 * in the first tier `fast-path.test.ts` and `same-answers.test.ts` compare the two.
 */
const bothWays = [
  'cached-body',
  'callbacks',
  'chat',
  'codes',
  'ended-access',
  'login',
  'pipelining',
  'pre-router',
  'registration',
  'reset-password',
  'site',
  'strange-requests',
  'throttle',
  'tokens',
  'zones',
];

/** Files with suites that the first tier runs on SQLite alone. */
const filesByTier = globSync('{server,console}/test/{,fuzz/}*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('describeByTier('),
);

export default defineConfig({
  test: {
    // Here and not in a project, so that the servers start once and every project sees them.
    globalSetup: './test-support/global-setup.ts',
    reporters: ['./test-support/reporter.ts'],
    sequence: seed === undefined ? { sequencer: SlowestFirst } : { sequencer: Shuffled, seed },
    pool: 'forks',
    // One more than the cores of a small machine, because tests wait for servers a fifth of their time.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...timeouts,
          name: 'faults',
          include: [faultRuns],
          exclude,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...timeouts,
          name: 'node',
          include: ['{playground,bench,scripts,test-support}/**/*.test.ts', ...apart],
          exclude,
        },
      },
      {
        test: {
          ...timeouts,
          ...sharedWorker,
          name: 'server',
          include: ['{contract,client,server,simulators}/**/*.test.ts'],
          exclude: [...exclude, ...apart, faultRuns],
        },
      },
      ...(tier === 'slow'
        ? [
            {
              test: {
                ...timeouts,
                ...sharedWorker,
                name: 'mariadb',
                include: filesByTier,
                env: { TEST_ENGINE: 'mariadb' },
              },
            },
          ]
        : []),
      ...(tier === 'first'
        ? []
        : [
            {
              test: {
                ...timeouts,
                ...sharedWorker,
                name: 'router',
                include: bothWays.map((name) => `server/test/${name}.test.ts`),
                env: { TEST_FAST_PATH: 'off' },
              },
            },
          ]),
      {
        test: {
          ...timeouts,
          ...sharedWorker,
          name: 'web',
          include: ['{web,console}/test/**/*.test.ts'],
          exclude,
        },
      },
      {
        plugins: [vue()],
        test: {
          ...timeouts,
          // One worker for many files, because setting up happy-dom takes far longer than most of them run.
          isolate: false,
          setupFiles: './web/test/between-files.ts',
          name: 'components',
          include: ['{web,console}/src/**/*.test.ts'],
          exclude,
          environment: 'happy-dom',
        },
      },
    ],
  },
});
