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

/** With two languages, the other one is all there is to choose. */
export const otherLanguage = (): Language => (current.value === 'zh-CN' ? 'en' : 'zh-CN');

/** The first language the browser wants that we have, whatever its region; English if it wants none of ours. */
export function preferred(wanted: readonly string[]): Language {
  const first = wanted.map((tag) => tag.toLowerCase()).find((tag) => /^(zh|en)\b/.test(tag));
  return first?.startsWith('zh') ? 'zh-CN' : 'en';
}

function chosen(): Language | undefined {
  const found = stored.get();
  return languages.find((one) => one === found);
}
