import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Markdown that tries to run a script, load something or lead to another scheme. */
export const payloads: string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../data/xss.json'), 'utf8'),
);

/** Returns the first tag that could do harm. Independent of the code under test. */
export function harm(html: string): string | undefined {
  for (const [tag = ''] of html.matchAll(/<[^>]*>?/g)) {
    if (
      !/^<\/?(?:p|h[1-6]|em|strong|ul|ol|li|blockquote|pre|code|hr|br|a|img)(?: [a-z]+="[^"]*")*>$/.test(tag)
    )
      return tag;
    for (const [, name, value = ''] of tag.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      if (!['href', 'src', 'alt', 'title', 'rel', 'start', 'loading'].includes(name ?? '')) return tag;
      if (name !== 'href' && name !== 'src') continue;
      const { protocol, origin, username } = new URL(value.replaceAll('&amp;', '&'), 'https://own.example');
      if (!['https:', 'http:', 'mailto:'].includes(protocol) || username !== '') return tag;
      if (name === 'src' && !/^\/brand\/[0-9a-f]{16}\.[a-z]+$/.test(value)) return tag;
      if (value.startsWith('/') && origin !== 'https://own.example') return tag;
    }
  }
  return undefined;
}
