import { afterAll, vi } from 'vitest';
import { killAll } from './process.ts';

/** Cleans up for the next file in the same worker: ends processes and restores the real clock. */
afterAll(() => {
  vi.useRealTimers();
  killAll();
});
