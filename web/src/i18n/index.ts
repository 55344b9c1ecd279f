import { watchEffect } from 'vue';
import { createI18n } from 'vue-i18n';
import { type Language, language, setLanguage } from './language.ts';
import type { AccountMessages } from './locales/account-zh-CN.ts';
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

/** Texts that only some pages need, and load when they do. */
const accountSources: Record<Language, () => Promise<AccountMessages>> = {
  'zh-CN': async () => (await import('./locales/account-zh-CN.ts')).accountZhCN,
  en: async () => (await import('./locales/account-en.ts')).accountEn,
};
let withAccountTexts = false;
const withAccount = new Set<Language>();

/** Must be awaited before anything is shown in a language. */
export async function loadTexts(of: Language): Promise<void> {
  if (!i18n.global.availableLocales.includes(of)) i18n.global.setLocaleMessage(of, await sources[of]());
  if (!withAccountTexts || withAccount.has(of)) return;
  i18n.global.mergeLocaleMessage(of, await accountSources[of]());
  withAccount.add(of);
}

/** Must be awaited before anything of the own account, or a second step of a login, is shown. */
export async function loadAccountTexts(): Promise<void> {
  withAccountTexts = true;
  await loadTexts(language.value);
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
