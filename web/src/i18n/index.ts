import { shallowReactive, watchEffect } from 'vue';
import { type Language, language, setLanguage } from './language.ts';
import type { AccountMessages } from './locales/account-zh-CN.ts';
import type { Messages } from './locales/zh-CN.ts';
import type { Message } from './messages.ts';

/** One file per language, so that a page loads only its own. */
const sources: Record<Language, () => Promise<Messages>> = {
  'zh-CN': async () => (await import('./locales/zh-CN.ts')).zhCN,
  en: async () => (await import('./locales/en.ts')).en,
};
const loaded = shallowReactive<Partial<Record<Language, Messages>>>({});

/** Texts that only some pages load. */
const accountSources: Record<Language, () => Promise<AccountMessages>> = {
  'zh-CN': async () => (await import('./locales/account-zh-CN.ts')).accountZhCN,
  en: async () => (await import('./locales/account-en.ts')).accountEn,
};
let withAccountTexts = false;

/** Must be awaited before anything is shown in a language. */
export async function loadTexts(of: Language): Promise<void> {
  loaded[of] ??= await sources[of]();
  if (withAccountTexts && !('account' in loaded[of]))
    loaded[of] = { ...loaded[of], ...(await accountSources[of]()) };
}

/** Must be awaited before showing the own account or the second step of a login. */
export async function loadAccountTexts(): Promise<void> {
  withAccountTexts = true;
  await loadTexts(language.value);
}

/** Switches the language. Keeps the current one if the texts cannot be loaded. */
export async function changeLanguage(next: Language): Promise<void> {
  try {
    await loadTexts(next);
  } catch {
    return;
  }
  setLanguage(next);
}

type Tree = { readonly [part: string]: Message | Tree };

/** Returns the text of a key such as `home.title` in the current language. */
function find(key: string): Message | undefined {
  let found: Message | Tree | undefined = loaded[language.value] as Tree | undefined;
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined;
  return typeof found === 'object' ? undefined : found;
}

function t(key: string, params: Readonly<Record<string, unknown>> = {}): string {
  const message = find(key) ?? key;
  return typeof message === 'function' ? message({ named: (name) => params[name] ?? '' }) : message;
}

const te = (key: string) => find(key) !== undefined;

/**
 * Looks up texts with vue-i18n's interface, but without the library: texts are plain functions, and vue-i18n would be a sixth of
 * what the login page loads.
 */
export const useI18n = () => ({ t, te, locale: language });

watchEffect(
  () => {
    document.documentElement.lang = language.value;
  },
  { flush: 'sync' },
);
