import { watch } from 'vue';
import { createI18n } from 'vue-i18n';
import { loadTexts } from './first-language.ts';
import { type Language, language } from './language.ts';
import { textAt } from './text-at.ts';

export { useI18n } from 'vue-i18n';

export const i18n = createI18n({
  legacy: false,
  locale: language.value,
  messages: {},
  // Texts are plain strings; nothing is compiled in the page.
  messageCompiler: (text) => () => String(text),
  messageResolver: textAt,
  missingWarn: false,
  fallbackWarn: false,
});

/** Switches the language once its texts have loaded; the last choice wins. */
export async function showLanguage(wanted: Language): Promise<void> {
  const { messages } = await loadTexts[wanted]();
  i18n.global.setLocaleMessage(wanted, messages);
  if (language.value !== wanted) return;
  i18n.global.locale.value = wanted;
  document.documentElement.lang = wanted;
}

watch(language, (wanted) => void showLanguage(wanted));
