import { afterEach, expect, test, vi } from 'vitest';
import { effectScope } from 'vue';
import { useOnline } from './use-online.ts';

afterEach(() => vi.restoreAllMocks());

test('when the network goes and returns, then the page knows; when the page is unmounted, then it has no listeners', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const scope = effectScope();
  const online = scope.run(() => useOnline()) ?? expect.unreachable();
  expect(online.value).toBe(true);

  onLine.mockReturnValue(false);
  dispatchEvent(new Event('offline'));
  expect(online.value).toBe(false);
  onLine.mockReturnValue(true);
  dispatchEvent(new Event('online'));
  expect(online.value).toBe(true);

  scope.stop();
  onLine.mockReturnValue(false);
  dispatchEvent(new Event('offline'));
  expect(online.value).toBe(true);
});
