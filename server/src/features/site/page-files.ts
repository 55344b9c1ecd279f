import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../http/texts/index.ts';

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
