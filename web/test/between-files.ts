import { afterAll, vi } from 'vitest';

/** Cleans up for the next file in the same worker: module state, storage and fake clock. */
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
  localStorage.clear();
  sessionStorage.clear();
});
