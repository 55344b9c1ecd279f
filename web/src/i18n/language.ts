import { computed, ref } from 'vue';
import { localValue } from '../ui/browser-storage.ts';

export const languages = ['zh-CN', 'en'] as const;
export type Language = (typeof languages)[number];

const stored = localValue('gatehouse.language');
const current = ref<Language>(chosen() ?? preferred(navigator.languages));

export const language = computed(() => current.value);

export function setLanguage(next: Language) {
  current.value = next;
  stored.set(next);
}

/** With two languages, the other one is the only choice. */
export const otherLanguage = (): Language => (current.value === 'zh-CN' ? 'en' : 'zh-CN');

/** Returns a text of the operator in the language of the page; the other one if there is only that. */
export const localText = (zh: string | undefined, en: string | undefined) =>
  (current.value === 'en' ? en || zh : zh || en) || '';

/** Returns the first supported language that the browser prefers, in any region; otherwise English. */
export function preferred(wanted: readonly string[]): Language {
  const first = wanted.map((tag) => tag.toLowerCase()).find((tag) => /^(zh|en)\b/.test(tag));
  return first?.startsWith('zh') ? 'zh-CN' : 'en';
}

function chosen(): Language | undefined {
  const found = stored.get();
  return languages.find((one) => one === found);
}
