import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import SlowestFirst from './test-bench/sequencer.ts';

/** What is awaited may take long on a busy machine; a poll ends as soon as it holds. */
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };
const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    // Stands here and not in a project, so that the servers start once and every project sees them.
    globalSetup: './test-bench/global-setup.ts',
    reporters: ['default', './test-bench/reporter.ts'],
    sequence: { sequencer: SlowestFirst },
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...timeouts,
          name: 'node',
          include: ['{contract,server,playground,bench,scripts,test-bench}/**/*.test.ts'],
          exclude,
        },
      },
      {
        plugins: [vue()],
        test: {
          ...timeouts,
          name: 'web',
          include: ['web/**/*.test.ts'],
          exclude,
          environment: 'happy-dom',
        },
      },
    ],
  },
});
