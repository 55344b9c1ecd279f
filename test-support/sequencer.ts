import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..');

/**
 * What takes longest, as measured, goes first. Beside the cluster run, whose callers wait only so long, stand those that mostly
 * wait themselves; browsers come after it.
 */
export const slowFiles = [
  'server/test/cluster/cluster.test.ts',
  'server/test/db/mysql.test.ts',
  'server/test/withdraw-recovery.test.ts',
  'server/test/withdraw-refusals.test.ts',
  'test-support/galera.test.ts',
  'server/test/db/transactions.test.ts',
  'server/test/withdraw-gm.test.ts',
  'server/test/controls.test.ts',
  'server/test/workers.test.ts',
  'server/test/nginx.test.ts',
  'server/test/throttle-bursts.test.ts',
  'server/test/chat-writes.test.ts',
  'server/test/forum-quirks.test.ts',
  'server/test/operators.test.ts',
  'web/test/page-states.test.ts',
  'console/test/page-states.test.ts',
  'server/test/money/money.test.ts',
  'server/test/instances.test.ts',
  'playground/test/playground-process.test.ts',
  'playground/test/playground-browser.test.ts',
  'web/test/withdraw.test.ts',
  'server/test/registration.test.ts',
  'server/test/zones.test.ts',
  'web/test/forum.test.ts',
].map((file) => join(root, file));

/**
 * The slowest files start first, whichever project they belong to: one that starts last leaves every other worker idle.
 * Vitest by itself goes project by project and by size, and what takes longest here is short to write.
 */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

function place({ moduleId }: TestSpecification): number {
  const index = slowFiles.indexOf(moduleId);
  return index < 0 ? slowFiles.length : index;
}
