import { localValue } from '@gatehouse/web/ui/browser-storage';

export type Language = 'zh-CN' | 'en';

export const storedLanguage = localValue('gatehouse.console.language');

/** Returns the operator's choice, else the browser's preference. */
export const firstLanguage = (): Language => chosen() ?? preferred(navigator.languages);

/** Texts by language, each in its own chunk. */
export const loadTexts: Record<Language, () => Promise<{ messages: object }>> = {
  'zh-CN': () => import('./locales/zh-CN/index.ts'),
  en: () => import('./locales/en/index.ts'),
};

function preferred(wanted: readonly string[]): Language {
  const first = wanted.map((tag) => tag.toLowerCase()).find((tag) => /^(zh|en)\b/.test(tag));
  return first?.startsWith('zh') ? 'zh-CN' : 'en';
}

function chosen(): Language | undefined {
  const found = storedLanguage.get();
  return found === 'zh-CN' || found === 'en' ? found : undefined;
}
