import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ListedNews, PublicConfig, Site } from '@gatehouse/contract';
import { textOn } from '@gatehouse/contract/accent';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import { escapeHtml } from '../../http/html.ts';
import type { Language } from '../../http/texts/index.ts';
import type { Settings } from '../../settings/schema.ts';
import type { SiteFile } from './store.ts';

/** The document of a page in one language, plain and compressed. */
export interface PageDocument extends CachedBody {
  readonly compressed: Readonly<Record<'br' | 'gzip', Buffer>>;
  /** Hashes of its own styles for the Content-Security-Policy. */
  readonly styleHashes: readonly string[];
}

/** The news, as the pages show them. */
export interface PageNews {
  of(language: Language): readonly ListedNews[];
  find(id: number): ListedNews | undefined;
  onChange(listener: () => void): void;
}

const DESCRIPTIONS: Readonly<Record<Language, (game: string) => string>> = {
  'zh-CN': (game) => `${game}：登录、注册，选择区服，进入游戏。`,
  en: (game) => `${game}: log in or sign up, choose a zone and play.`,
};

export const NEWS = '/news';
const NEWS_TITLES: Readonly<Record<Language, string>> = { 'zh-CN': '新闻', en: 'News' };

/** News that the login page and the home page show. */
const SHOWN_NEWS = 3;
/** Enough for an article, whose document is rendered on demand. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

interface PageOptions {
  readonly html: string;
  readonly path: string;
  readonly language: Language;
  readonly settings: Settings;
  readonly config: PublicConfig;
  readonly files: PageFiles | undefined;
  readonly logo: SiteFile | undefined;
  readonly news: readonly ListedNews[];
  /** The article that the page shows, if it is one. */
  readonly article?: ListedNews | undefined;
}

/** Embeds what the pages would otherwise request first, so that nothing changes right after it is shown. */
export function pageDocument(deps: PageOptions): PageDocument {
  const { html, path, language, settings, config, files, logo, news, article } = deps;
  const { site } = config;
  const { password_min: min, password_max: max } = settings.auth;
  const facts = JSON.stringify({
    config,
    language,
    news: news.slice(0, SHOWN_NEWS),
    ...(logo && { logo: { width: logo.width, height: logo.height } }),
    password: { min, max },
    login_tries: settings.login_throttle.account_address.limit,
    deletion_days: settings.account.deletion_days,
  });
  const style = site.accent && `:root{--accent:${site.accent};--accent-text:${textOn(site.accent)}}`;
  const slogan = (language === 'en' ? (site.slogan_en ?? site.slogan) : site.slogan) ?? '';
  const description = article?.summary || slogan || DESCRIPTIONS[language](site.title);
  const card = article
    ? { type: 'article', title: article.title, path: `${NEWS}/${article.id}` }
    : path === NEWS && { type: 'website', title: NEWS_TITLES[language], path };
  const head = [
    `<meta name="description" content="${escapeHtml(description)}">`,
    `<meta name="gatehouse" content="${escapeHtml(facts)}">`,
    '<link rel="alternate" type="application/atom+xml" href="/news.xml">',
    ...(card ? openGraph({ ...card, description }, site, settings.public_url) : []),
    ...(style ? [`<style>${style}</style>`] : []),
    ...preloads(files),
  ];
  const title = card ? `${card.title} · ${site.title}` : site.title;
  const text = html
    .replace(/<html lang="[^"]*">/, () => `<html lang="${language}">`)
    .replace('<title>Gatehouse</title>', () => `<title>${escapeHtml(title)}</title>`)
    .replace('<p>Gatehouse</p>', () => `<p>${escapeHtml(site.title)}</p>`)
    .replace(/<link rel="icon"[^>]*>/, (own) =>
      site.favicon ? `<link rel="icon" href="${site.favicon}">` : own,
    )
    .replace(/<div class="art">\s*<img src="([^"]+)"[^>]*>\s*<\/div>/, (own, gate: string) =>
      art(
        site,
        own.replace(gate, () => files?.image ?? gate),
      ),
    )
    .replace(/<img src="[^"]*" alt="" width="56" height="56">/, (own) => splashLogo(logo, site) ?? own)
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`);
  const body = cachedBody(text, 'text/html; charset=utf-8');
  const compressed = { br: brotliCompressSync(body.bytes, article ? QUICK : {}), gzip: gzipSync(body.bytes) };
  return { ...body, compressed, styleHashes: style ? [`'sha256-${hash('sha256', style, 'base64')}'`] : [] };
}

interface Card {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
}

/** Describes a page to sites that show a card for its link. */
function openGraph({ type, title, description, path }: Card, site: Site, publicUrl: string): string[] {
  const picture = site.background_wide ?? site.logo;
  const absolute = (at: string) => new URL(at, publicUrl).href;
  const properties = {
    'og:type': type,
    'og:site_name': site.title,
    'og:title': title,
    'og:description': description,
    'og:url': absolute(path),
    ...(picture && !picture.endsWith('.svg') && { 'og:image': absolute(picture) }),
  };
  return Object.entries(properties).map(
    ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
  );
}

/** Returns the operator's picture in place of ours; the tall one on narrow screens. */
function art({ background_wide: wide, background_tall: tall }: Site, own: string): string {
  const main = wide ?? tall;
  if (!main) return own;
  const source = tall && wide ? `<source media="(width < 43rem)" srcset="${tall}">` : '';
  const image = `<img src="${main}" alt="" fetchpriority="high">`;
  return `<div class="art own"><picture>${source}${image}</picture></div>`;
}

const LOGO_HEIGHT = 56;
const MAX_LOGO_WIDTH = 280;

/** Returns the operator's logo with its size, so that nothing moves when it has loaded. */
function splashLogo(logo: SiteFile | undefined, { logo: path }: Site): string | undefined {
  if (!logo || !path) return undefined;
  const ratio = logo.width > 0 && logo.height > 0 ? logo.width / logo.height : 1;
  const width = Math.min(MAX_LOGO_WIDTH, Math.round(LOGO_HEIGHT * ratio));
  return `<img src="${path}" alt="" width="${width}" height="${Math.round(width / ratio)}">`;
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

/** Files a page needs in addition to those every page loads. */
export interface PageFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Header image of the page; defaults to the gate. */
  readonly image?: string;
}

export interface BuiltPages {
  /** The document of every page, with the critical style inlined. */
  readonly html: string;
  /** Hash of that style for the Content-Security-Policy. */
  readonly styleHash: string;
  readonly files: (path: string, language: Language) => PageFiles | undefined;
}

/** Reads the built pages and inlines the common style, which saves a request before the first paint. */
export function readBuiltPages(folder: string): BuiltPages {
  const pages: Partial<Record<string, Partial<Record<Language, PageFiles>>>> = JSON.parse(
    readFileSync(join(folder, 'pages.json'), 'utf8'),
  );
  let style = '';
  const html = readFileSync(join(folder, 'index.html'), 'utf8').replace(
    /<link rel="stylesheet"[^>]* href="([^"]+)">/,
    (_link, href: string) => {
      style = readFileSync(join(folder, href), 'utf8').trim();
      return `<style>${style}</style>`;
    },
  );
  return {
    html,
    styleHash: `'sha256-${hash('sha256', style, 'base64')}'`,
    files: (path, language) => pages[path]?.[language],
  };
}
