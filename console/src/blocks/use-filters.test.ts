import { mount } from '@vue/test-utils';
import { expect, test } from 'vitest';
import { defineComponent, h } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { useFilters } from './use-filters.ts';

async function filtersAt(address: string) {
  let used: ReturnType<typeof useFilters<'state' | 'q'>> | undefined;
  const Page = defineComponent({
    setup() {
      used = useFilters('state', 'q');
      return () => h('p');
    },
  });
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/', component: Page }] });
  await router.push(address);
  mount(Page, { global: { plugins: [router] } });
  if (!used) throw new Error('not mounted');
  return { used, router };
}

test('when the URL has filters, then they apply; repeated and unknown parameters are ignored', async () => {
  const { used } = await filtersAt('/?state=unknown&q=a&q=b&else=1');
  expect(used.filters.value).toEqual({ state: 'unknown', q: '' });
  expect(used.active.value).toBe(true);
});

test('when a filter is set, then the URL has it; an empty one is removed', async () => {
  const { used, router } = await filtersAt('/?else=1');
  await used.set({ state: 'done' });
  expect(router.currentRoute.value.fullPath).toBe('/?else=1&state=done');
  await used.clear();
  expect(router.currentRoute.value.fullPath).toBe('/?else=1');
  expect(used.active.value).toBe(false);
});
