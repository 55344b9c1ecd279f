import { afterAll, vi } from 'vitest';

/** Leaves nothing to the next file in the same worker: no module state, storage or fake clock. */
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
  localStorage.clear();
  sessionStorage.clear();
});
