import { ref } from 'vue';
import { firstLanguage, type Language, storedLanguage } from './first-language.ts';

export type { Language } from './first-language.ts';

export const language = ref<Language>(firstLanguage());

export function setLanguage(next: Language) {
  language.value = next;
  storedLanguage.set(next);
}

/** With two languages, the other one is the only choice. */
export const otherLanguage = (): Language => (language.value === 'zh-CN' ? 'en' : 'zh-CN');
