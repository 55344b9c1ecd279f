import { watchEffect } from 'vue';
import { createI18n } from 'vue-i18n';
import { type Language, language, setLanguage } from './language.ts';
import type { Messages } from './locales/zh-CN.ts';

export { useI18n } from 'vue-i18n';

export const i18n = createI18n({
  legacy: false,
  locale: language.value,
  messages: {},
  // A text is what it says: nothing is parsed or compiled in the page.
  messageCompiler: (text) => () => String(text),
  // Texts are looked up optionally in one place (a field's own text), which is no mistake.
  missingWarn: false,
  fallbackWarn: false,
});

/** A file each, so that a page loads the texts of its own language alone. */
const sources: Record<Language, () => Promise<Messages>> = {
  'zh-CN': async () => (await import('./locales/zh-CN.ts')).zhCN,
  en: async () => (await import('./locales/en.ts')).en,
};

/** Must be awaited before anything is shown in a language. */
export async function loadTexts(of: Language): Promise<void> {
  if (i18n.global.availableLocales.includes(of)) return;
  i18n.global.setLocaleMessage(of, await sources[of]());
}

/** Goes on in the present language when the texts of the other one cannot be loaded. */
export async function changeLanguage(next: Language): Promise<void> {
  try {
    await loadTexts(next);
  } catch {
    return;
  }
  setLanguage(next);
}

watchEffect(
  () => {
    i18n.global.locale.value = language.value;
    document.documentElement.lang = language.value;
  },
  { flush: 'sync' },
);
