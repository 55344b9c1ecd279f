import { localValue } from '@gatehouse/web/ui/browser-storage';
import { ref } from 'vue';

export type Language = 'zh-CN' | 'en';

const stored = localValue('gatehouse.console.language');
/** What the browser prefers, unless the operator has chosen. */
export const language = ref<Language>(chosen() ?? preferred(navigator.languages));

export function setLanguage(next: Language) {
  language.value = next;
  stored.set(next);
}

/** With two languages, the other one is all there is to choose. */
export const otherLanguage = (): Language => (language.value === 'zh-CN' ? 'en' : 'zh-CN');

function preferred(wanted: readonly string[]): Language {
  const first = wanted.map((tag) => tag.toLowerCase()).find((tag) => /^(zh|en)\b/.test(tag));
  return first?.startsWith('zh') ? 'zh-CN' : 'en';
}

function chosen(): Language | undefined {
  const found = stored.get();
  return found === 'zh-CN' || found === 'en' ? found : undefined;
}
