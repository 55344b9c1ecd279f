import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MarkdownIt } from 'markdown-it';
import { escapeHtml } from '../../http/html.ts';
import type { Log } from '../../logging/log.ts';
import { keyedConcurrency } from '../../runtime/concurrency.ts';
import { generationalCache } from '../../runtime/generational-cache.ts';
import { lazy } from '../../runtime/lazy.ts';
import { isHomeLink, isOwnPath } from '../../settings/site-fields.ts';

/** The only rules in use: no HTML, no tables, no automatic links. */
const BLOCK_RULES = ['blockquote', 'code', 'fence', 'heading', 'hr', 'lheading', 'list'];
const INLINE_RULES = ['autolink', 'backticks', 'emphasis', 'entity', 'escape', 'image', 'link', 'newline'];
const MAX_NESTING = 20;
const CACHED_TEXTS = 100;

const BRAND_PICTURE = /^\/brand\/[0-9a-f]{16}\.(?:png|jpg|webp|avif|svg)$/;

interface RenderDeps {
  /** Whether pictures of other sites may be shown. */
  readonly images: () => boolean;
  readonly log: Pick<Log, 'error'>;
}

export type RenderMarkdown = (text: string, use?: 'published' | 'preview') => Promise<string>;

/**
 * Renders the text of news as HTML without scripts. A long text can take half a second, so there is one at a time and an
 * event-loop turn before each. Published texts are cached by content and do not wait for previews.
 */
export function createMarkdown({ images, log }: RenderDeps): RenderMarkdown {
  const rendered = generationalCache<string, string>(CACHED_TEXTS);
  const oneAtATime = keyedConcurrency(1);
  const open = lazy(openMarkdown);
  return async (text, use = 'published') => {
    const pictures = images() ? 'any' : 'own';
    const key = `${pictures} ${hash('sha256', text)}`;
    return (
      rendered.get(key) ??
      oneAtATime(use, async () => {
        const markdown = (await open())[pictures];
        const known = rendered.get(key);
        if (known !== undefined) return known;
        await nextTurn();
        const html = markdown.render(text);
        const safe = isSafeHtml(html, pictures) ? html : undefined;
        if (safe === undefined)
          log.error({ hash: hash('sha256', text) }, 'unexpected HTML from Markdown is shown as text');
        const shown = safe ?? `<pre>${escapeHtml(text)}</pre>\n`;
        if (use === 'published') rendered.set(key, shown);
        return shown;
      })
    );
  };
}

/** Loads the library on first use, to keep the start short. */
async function openMarkdown(): Promise<Record<'own' | 'any', MarkdownIt>> {
  const { default: create } = await import('markdown-it');
  const open = (pictures: 'own' | 'any') => {
    const markdown = create('zero', { html: false, maxNesting: MAX_NESTING });
    markdown.enable([...BLOCK_RULES, ...INLINE_RULES]);
    // The renderer refuses links and shows only their text. The parser would show their source.
    markdown.validateLink = () => true;
    const { rules } = markdown.renderer;
    rules.fence = (tokens, index) => `<pre><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
    rules.link_open = (tokens, index) => {
      const token = tokens[index];
      const url = textOf(token?.attrGet('href'));
      if (!isHomeLink(url)) {
        // Everything between the two has a deeper level.
        let end = index + 1;
        while (end < tokens.length && tokens[end]?.level !== token?.level) end += 1;
        const close = tokens[end];
        if (close) close.hidden = true;
        return token?.markup === 'autolink' ? '&lt;' : '';
      }
      const rel = isOwnPath(url) ? '' : ' rel="noopener noreferrer nofollow"';
      return `<a href="${escapeHtml(url)}"${titleOf(token?.attrGet('title'))}${rel}>`;
    };
    rules.link_close = (tokens, index) => {
      const token = tokens[index];
      if (!token?.hidden) return '</a>';
      return token.markup === 'autolink' ? '&gt;' : '';
    };
    rules.image = (tokens, index) => {
      const token = tokens[index];
      const url = textOf(token?.attrGet('src'));
      const alt = escapeHtml(token?.content ?? '');
      if (!isPicture(url, pictures)) return alt;
      return `<img src="${escapeHtml(url)}" alt="${alt}"${titleOf(token?.attrGet('title'))} loading="lazy">`;
    };
    return markdown;
  };
  return { own: open('own'), any: open('any') };
}

const textOf = (value: string | number | null | undefined) => String(value ?? '');
const titleOf = (title: string | number | null | undefined) =>
  title ? ` title="${escapeHtml(textOf(title))}"` : '';

function isPicture(url: string, pictures: 'own' | 'any'): boolean {
  return BRAND_PICTURE.test(url) || (pictures === 'any' && /^https:/i.test(url) && isHomeLink(url));
}

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)>/y;
const ATTRIBUTE = / ([a-z]+)="([^"<>]*)"/g;
const PLAIN_TAGS = new Set(
  'p h1 h2 h3 h4 h5 h6 em strong ul ol li blockquote pre code hr br a img'.split(' '),
);

/** Decides each attribute that may occur, by tag and name. */
const attributes: Readonly<Record<string, (value: string, pictures: 'own' | 'any') => boolean>> = {
  'a href': isHomeLink,
  'a rel': (value) => value === 'noopener noreferrer nofollow',
  'a title': () => true,
  'img src': isPicture,
  'img alt': () => true,
  'img title': () => true,
  'img loading': (value) => value === 'lazy',
  'ol start': (value) => /^\d{1,9}$/.test(value),
};

/** Checks that the HTML has only the tags and attributes that the rules above can produce. */
export function isSafeHtml(html: string, pictures: 'own' | 'any'): boolean {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    TAG.lastIndex = at;
    const [tag, closing, name = '', given = ''] = TAG.exec(html) ?? [];
    if (tag === undefined || !PLAIN_TAGS.has(name) || (closing && given !== '')) return false;
    for (const [, attribute, value = ''] of given.matchAll(ATTRIBUTE)) {
      const fits = attributes[`${name} ${attribute}`];
      const plain = unescapeHtml(value);
      if (plain === undefined || !fits?.(plain, pictures)) return false;
    }
    at += tag.length;
  }
  return true;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>' };

/** Returns undefined if the text has an entity that we do not write. */
function unescapeHtml(text: string): string | undefined {
  if (/&(?!(?:amp|quot|lt|gt);)/.test(text)) return undefined;
  return text.replaceAll(/&(amp|quot|lt|gt);/g, (entity, name: string) => CHARACTERS[name] ?? entity);
}
