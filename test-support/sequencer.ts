import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..');

/** What takes longest, as measured, the slowest first. */
export const slowFiles = [
  'web/test/page-states.test.ts',
  'server/test/cluster/cluster.test.ts',
  'server/test/money/money.test.ts',
  'playground/test/playground-process.test.ts',
  'server/test/instances.test.ts',
  'playground/test/playground-browser.test.ts',
  'web/test/withdraw.test.ts',
  'server/test/db/mysql.test.ts',
  'web/test/registration.test.ts',
  'web/test/session.test.ts',
  'web/test/game-entry.test.ts',
  'server/test/backup.test.ts',
  'test-support/galera.test.ts',
  'server/test/withdraw-recovery.test.ts',
  'server/test/chat-writes.test.ts',
  'server/test/import.test.ts',
  'server/test/withdraw-gm.test.ts',
  'server/test/withdraw-refusals.test.ts',
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
