import { flushPromises, mount } from '@vue/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import { api } from '../../api/client.ts';
import BrokenLoad from './BrokenLoad.vue';

test.each(['//evil.example/login', '/\\evil.example', '/withdraw?a=1#b'])(
  'when the page at %s is loaded again, then the player stays on this site',
  async (path) => {
    vi.spyOn(api, 'config').mockResolvedValue({} as Awaited<ReturnType<typeof api.config>>);
    const assign = vi.spyOn(location, 'assign').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const page = mount(BrokenLoad, { props: { path }, global: { stubs: { BackgroundArt: true } } });
    onTestFinished(() => page.unmount());
    await flushPromises();
    await page.get('button').trigger('click');
    expect(new URL(String(assign.mock.calls[0]?.[0])).origin).toBe(location.origin);
  },
);
