import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../http/texts/index.ts';

/** What a page needs besides what every page loads. */
export interface PageFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** The picture of its head; the gate where it has none of its own. */
  readonly image?: string;
}

export interface BuiltPages {
  /** The document of every page, with the style of what is seen first in it. */
  readonly html: string;
  /** What a Content-Security-Policy calls that style. */
  readonly styleHash: string;
  readonly files: (path: string, language: Language) => PageFiles | undefined;
}

/** The style of every page stands in the document: a request less before anything is seen. */
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
