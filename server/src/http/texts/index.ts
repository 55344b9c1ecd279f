import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

export const languages = { 'zh-CN': zhCN, en } as const;
export type Language = keyof typeof languages;

const DEFAULT_LANGUAGE: Language = 'zh-CN';

/** Returns the supported language that an Accept-Language header prefers, or the default. */
export const pickLanguage = (accepted: string | undefined): Language =>
  preferredLanguage(accepted) ?? DEFAULT_LANGUAGE;

/** Same, but undefined if the header names no language or accepts any. */
export function preferredLanguage(accepted: string | undefined): Language | undefined {
  if (accepted === undefined) return undefined;
  const preferences = accepted
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.trim().toLowerCase().split(';');
      const quality = params.find((param) => param.trim().startsWith('q='));
      return { tag, quality: quality ? Number(quality.trim().slice(2)) || 0 : 1 };
    })
    .sort((a, b) => b.quality - a.quality);
  const named = preferences.filter(({ tag, quality }) => tag !== '' && quality > 0);
  for (const { tag } of named) {
    if (tag === 'zh' || tag.startsWith('zh-')) return 'zh-CN';
    if (tag === 'en' || tag.startsWith('en-')) return 'en';
  }
  const acceptsAny = named.length === 0 || named.some(({ tag }) => tag === '*');
  return acceptsAny ? undefined : DEFAULT_LANGUAGE;
}

export function fill(text: string, params: Readonly<Record<string, string | number>> = {}): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
