import { afterAll, vi } from 'vitest';
import { killAll } from './process.ts';

/** The next file in the same worker finds nothing of this one: no process, and the machine's own clock. */
afterAll(() => {
  vi.useRealTimers();
  killAll();
});
