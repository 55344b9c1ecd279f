import type { ListedNews } from '@gatehouse/contract/player';
import { computed, ref, shallowRef, watch } from 'vue';
import { api } from '../api/client.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { pageFacts } from '../api/page-facts.ts';
import { language } from '../i18n/language.ts';
import { useLoading } from '../ui/use-loading.ts';

const SHOWN = 3;
const PAGE = 20;

async function fetchLatest(): Promise<{ language: string; news: readonly ListedNews[] }> {
  const of = language.value;
  return { language: of, news: (await api.newsList({ language: of, limit: SHOWN })).news };
}
const { data, busy, load } = useLoading(fetchLatest, failureOf);
if (pageFacts?.language === language.value) data.value = pageFacts;

const latest = computed(() => data.value?.news ?? []);
/** How many to keep space for while they load: the page embeds them in the browser's language, not in one chosen here. */
const expected = computed(() => (busy.value ? (pageFacts?.news.length ?? 0) : 0));

/** The first of the news, embedded in the page or fetched once per language. A failure to load them is not shown. */
export function useLatestNews() {
  // The language may have changed on a page without news, also during a request.
  if (data.value?.language !== language.value) void load();
  watch(language, load);
  return { latest, expected };
}

/** All news in the language of the page, one page of the list after another. */
export function useNewsList() {
  const news = shallowRef<readonly ListedNews[] | null>(null);
  const next = ref<string | null>(null);
  const loading = ref(false);
  const error = shallowRef<Failure | null>(null);

  async function loadMore() {
    const of = language.value;
    loading.value = true;
    error.value = null;
    try {
      const page = await api.newsList({ language: of, limit: PAGE, cursor: next.value ?? undefined });
      if (of !== language.value) return;
      news.value = [...(news.value ?? []), ...page.news];
      next.value = page.next;
    } catch (thrown) {
      error.value = failureOf(thrown);
    } finally {
      if (of === language.value) loading.value = false;
    }
  }

  function reload() {
    news.value = null;
    next.value = null;
    return loadMore();
  }

  watch(language, reload);
  return { news, next, loading, error, loadMore };
}
