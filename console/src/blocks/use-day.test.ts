import { mount } from '@vue/test-utils';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { useDay } from './use-day.ts';

test('when midnight passes, then the default day follows, but a chosen one stays', async () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 15, 23, 59, 55) });
  onTestFinished(() => void vi.useRealTimers());
  let used: ReturnType<typeof useDay> | undefined;
  const Page = defineComponent({
    setup() {
      used = useDay({ daysBack: 1 });
      return () => h('p');
    },
  });
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: Page }] });
  await router.push('/');
  const page = mount(Page, { global: { plugins: [router] } });
  onTestFinished(() => page.unmount());
  const days = () => [used?.day.value, used?.today.value];
  expect(days()).toEqual(['2026-11-14', '2026-11-15']);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(days()).toEqual(['2026-11-15', '2026-11-16']);
  await router.push('/?day=2026-11-01');
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(days()).toEqual(['2026-11-01', '2026-11-17']);
});
