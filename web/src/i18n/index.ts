import { watchEffect } from 'vue';
import { createI18n } from 'vue-i18n';
import { language } from './language.ts';
import { en } from './locales/en.ts';
import { zhCN } from './locales/zh-CN.ts';

export { useI18n } from 'vue-i18n';

export const i18n = createI18n({
  legacy: false,
  locale: language.value,
  messages: { 'zh-CN': zhCN, en },
  // A text is what it says: nothing is parsed or compiled in the page.
  messageCompiler: (text) => () => String(text),
  // Texts are looked up optionally in one place (a field's own text), which is no mistake.
  missingWarn: false,
  fallbackWarn: false,
});

watchEffect(
  () => {
    i18n.global.locale.value = language.value;
    document.documentElement.lang = language.value;
  },
  { flush: 'sync' },
);
