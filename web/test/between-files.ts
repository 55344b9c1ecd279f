import { afterAll, vi } from 'vitest';

/** The next file in the same worker finds nothing of this one: neither state of modules, nor storage, nor a stopped clock. */
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
  localStorage.clear();
  sessionStorage.clear();
});
