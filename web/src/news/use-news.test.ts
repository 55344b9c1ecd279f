import { flushPromises } from '@vue/test-utils';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { effectScope } from 'vue';

const page = (language: string) => ({
  news: [{ id: 3, title: language, summary: '', published_at: '2026-01-01T00:00:00.000Z', pinned: false }],
  next: null,
});

async function freshNews() {
  vi.resetModules();
  const { api } = await import('../api/client.ts');
  const { setLanguage } = await import('../i18n/language.ts');
  const { useLatestNews } = await import('./use-news.ts');
  setLanguage('en');
  /** Opens a page with news. */
  function visit() {
    const scope = effectScope();
    onTestFinished(() => scope.stop());
    const titles = scope.run(() => {
      const { latest } = useLatestNews();
      return () => latest.value.map(({ title }) => title);
    });
    return { titles, leave: () => scope.stop() };
  }
  return { visit, setLanguage, newsList: vi.spyOn(api, 'newsList') };
}

afterEach(() => vi.restoreAllMocks());

test('when the language changes on a page without news, then the next page loads them in that language', async () => {
  const { visit, setLanguage, newsList } = await freshNews();
  newsList.mockImplementation(async (input) => page(String(input?.language)));
  const { leave, titles } = visit();
  await flushPromises();
  expect(titles?.()).toEqual(['en']);
  leave();
  setLanguage('zh-CN');
  const next = visit();
  await flushPromises();
  expect(next.titles?.()).toEqual(['zh-CN']);
  visit();
  expect(newsList).toHaveBeenCalledTimes(2);
});

test('when the language changes during a request, then its answer is dropped', async () => {
  const { visit, setLanguage, newsList } = await freshNews();
  const first = Promise.withResolvers<ReturnType<typeof page>>();
  newsList.mockReturnValueOnce(first.promise).mockResolvedValueOnce(page('zh-CN'));
  visit().leave();
  setLanguage('zh-CN');
  const { titles } = visit();
  first.resolve(page('en'));
  await flushPromises();
  expect(titles?.()).toEqual(['zh-CN']);
});
