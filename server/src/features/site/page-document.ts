import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PublicConfig } from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import { escapeHtml } from '../../http/html.ts';
import type { Language } from '../../http/texts/index.ts';
import type { Settings } from '../../settings/schema.ts';

/** The document of the pages in one language, as it is and compressed. */
export interface PageDocument extends CachedBody {
  readonly compressed: Readonly<Record<'br' | 'gzip', Buffer>>;
}

const DESCRIPTIONS: Readonly<Record<Language, (game: string) => string>> = {
  'zh-CN': (game) => `${game}：登录、注册，选择区服，进入游戏。`,
  en: (game) => `${game}: log in or sign up, choose a zone and play.`,
};

/** The script with the texts of each language, which the pages load as soon as they know which one they want. */
export function findTexts(folder: string): Readonly<Partial<Record<Language, string>>> {
  const files = readdirSync(join(folder, 'assets'));
  const of = (language: Language) => {
    const file = files.find((each) => each.startsWith(`${language}-`) && each.endsWith('.js'));
    return file && { [language]: `/assets/${file}` };
  };
  return { ...of('zh-CN'), ...of('en') };
}

interface Parts {
  readonly html: string;
  readonly language: Language;
  readonly settings: Settings;
  readonly config: PublicConfig;
  readonly texts: string | undefined;
}

/** What the pages would otherwise ask for first stands in the document itself: nothing is shown that changes a moment later. */
export function pageDocument({ html, language, settings, config, texts }: Parts): PageDocument {
  const { password_min: min, password_max: max } = settings.auth;
  const { name } = settings.game;
  const facts = JSON.stringify({
    config,
    password: { min, max },
    login_tries: settings.login_throttle.account_address.limit,
  });
  const head = [
    `<meta name="description" content="${escapeHtml(DESCRIPTIONS[language](name))}">`,
    `<meta name="gatehouse" content="${escapeHtml(facts)}">`,
    ...(texts === undefined ? [] : [`<link rel="modulepreload" crossorigin href="${texts}">`]),
  ];
  const text = html
    .replace(/<html lang="[^"]*">/, () => `<html lang="${language}">`)
    .replaceAll('>Gatehouse<', () => `>${escapeHtml(name)}<`)
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`);
  const body = cachedBody(text, 'text/html; charset=utf-8');
  return { ...body, compressed: { br: brotliCompressSync(body.bytes), gzip: gzipSync(body.bytes) } };
}
