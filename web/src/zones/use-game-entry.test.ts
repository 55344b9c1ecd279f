import { GatehouseError } from '@gatehouse/client';
import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { effectScope, reactive } from 'vue';
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router';
import { api } from '../api/client.ts';
import { session } from '../auth/session.ts';
import type { Entry } from './game-handover.ts';
import { recentZones } from './recent-zones.ts';

// Mocked before the import, because use-config.ts takes `api.config` when it is loaded.
vi.spyOn(api, 'config').mockResolvedValue({ client: {} } as Awaited<ReturnType<typeof api.config>>);
const { useGameEntry } = await import('./use-game-entry.ts');

const entered: Entry = {
  account: 'li_bai',
  token: 'game-token',
  server: { server_id: 3, name: '玄武门', address: 's3.example', port: 7003 },
  launch_url: 'https://client.example/play',
};

/** Opens the zone list at a zone that is entered at once; the service answers later. */
function openAtZone() {
  const answer = Promise.withResolvers<Entry>();
  vi.spyOn(api, 'enterGame').mockReturnValueOnce(answer.promise);
  const router = { push: vi.fn(), replace: vi.fn() };
  const route = reactive({ hash: '#zone-3' });
  const scope = effectScope();
  scope.run(() =>
    useGameEntry(route as unknown as RouteLocationNormalizedLoaded, router as unknown as Router),
  );
  return { answer, router, route, scope };
}

beforeEach(() => {
  session.start({
    token: `e30.${btoa(JSON.stringify({ account: 'li_bai' }))}.s`,
    token_type: 'Bearer',
    expires_at: '2099-01-01T00:00:00.000Z',
    account: 'li_bai',
    server_id: null,
  });
});

test('when the answer arrives, then the zone is remembered and in the URL', async () => {
  const { answer, router, route, scope } = openAtZone();
  route.hash = '';
  answer.resolve(entered);
  await flushPromises();
  expect(router.push).toHaveBeenCalledWith({ path: '/', hash: '#zone-3' });
  expect(session.lastZone.value).toBe(3);
  scope.stop();
});

test.each<[string, (answer: PromiseWithResolvers<Entry>) => void]>([
  ['lets the player in', ({ resolve }) => resolve(entered)],
  ['fails', ({ reject }) => reject(new GatehouseError('unreachable'))],
])('when the player has left the page and the answer %s, then the page they are on stays', async (_, by) => {
  const recent = recentZones.list();
  const { answer, router, scope } = openAtZone();
  scope.stop();
  by(answer);
  await flushPromises();
  expect(router.push).not.toHaveBeenCalled();
  expect(router.replace).not.toHaveBeenCalled();
  expect(session.lastZone.value).toBeNull();
  expect(recentZones.list()).toEqual(recent);
});
