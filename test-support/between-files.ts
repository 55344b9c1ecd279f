import { afterAll, vi } from 'vitest';
import { killAll } from './process.ts';

/** Leaves nothing to the next file in the same worker: no processes, and the real clock. */
afterAll(() => {
  vi.useRealTimers();
  killAll();
});
