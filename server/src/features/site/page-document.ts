import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PublicConfig } from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import { escapeHtml } from '../../http/html.ts';
import type { Language } from '../../http/texts/index.ts';
import type { Settings } from '../../settings/schema.ts';
import type { PageFiles } from './page-files.ts';

/** The document of a page in one language, plain and compressed. */
export interface PageDocument extends CachedBody {
  readonly compressed: Readonly<Record<'br' | 'gzip', Buffer>>;
}

const DESCRIPTIONS: Readonly<Record<Language, (game: string) => string>> = {
  'zh-CN': (game) => `${game}：登录、注册，选择区服，进入游戏。`,
  en: (game) => `${game}: log in or sign up, choose a zone and play.`,
};

interface Parts {
  readonly html: string;
  readonly language: Language;
  readonly settings: Settings;
  readonly config: PublicConfig;
  readonly files: PageFiles | undefined;
}

/** Embeds what the pages would otherwise request first, so that nothing changes right after it is shown. */
export function pageDocument({ html, language, settings, config, files }: Parts): PageDocument {
  const { password_min: min, password_max: max } = settings.auth;
  const { name } = settings.game;
  const facts = JSON.stringify({
    config,
    password: { min, max },
    login_tries: settings.login_throttle.account_address.limit,
    deletion_days: settings.account.deletion_days,
  });
  const head = [
    `<meta name="description" content="${escapeHtml(DESCRIPTIONS[language](name))}">`,
    `<meta name="gatehouse" content="${escapeHtml(facts)}">`,
    ...preloads(files),
  ];
  const text = html
    .replace(/<html lang="[^"]*">/, () => `<html lang="${language}">`)
    .replaceAll('>Gatehouse<', () => `>${escapeHtml(name)}<`)
    .replace(/(?<=<div class="art"><img src=")[^"]+/, (gate) => files?.image ?? gate)
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`);
  const body = cachedBody(text, 'text/html; charset=utf-8');
  return { ...body, compressed: { br: brotliCompressSync(body.bytes), gzip: gzipSync(body.bytes) } };
}

/** Preloads all files a page needs at once, instead of one import after another. */
function preloads(files: PageFiles | undefined): string[] {
  if (!files) return [];
  const { scripts, styles } = files;
  return [
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}">`),
    ...styles.map((href) => `<link rel="preload" as="style" crossorigin href="${href}">`),
  ];
}
