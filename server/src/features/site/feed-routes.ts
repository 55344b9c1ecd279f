import type { ListedNews } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { cachedBody, isFresh } from '../../http/cached-body.ts';
import { responseHeaders } from '../../http/headers.ts';
import { escapeHtml } from '../../http/html.ts';
import { queryOf } from '../../http/request-context.ts';
import { type Language, pickLanguage } from '../../http/texts/index.ts';
import type { PageNews } from './page-document.ts';
import type { SiteValues } from './site-values.ts';

const MAX_ENTRIES = 20;
const EPOCH = '1970-01-01T00:00:00.000Z';

/** Serves the news as an Atom feed in the reader's language. */
export function feedRoutes(
  app: FastifyInstance,
  { values, news, publicUrl }: { values: SiteValues; news: PageNews; publicUrl: string },
): void {
  app.get('/news.xml', (request, reply) => {
    const asked = new URLSearchParams(queryOf(request.raw)).get('language');
    const language = pickLanguage(asked ?? request.headers['accept-language']);
    const title = values.current.title;
    const text = feedOf({ language, title, entries: news.of(language), publicUrl });
    const body = cachedBody(text, 'application/atom+xml; charset=utf-8');
    reply.headers({ ...responseHeaders.cached(body.etag), vary: 'accept-language' });
    if (isFresh(request.raw, body)) return reply.code(304).send();
    return reply.header('content-type', body.type).send(body.bytes);
  });
}

interface Feed {
  readonly language: Language;
  readonly title: string;
  readonly entries: readonly ListedNews[];
  readonly publicUrl: string;
}

function feedOf({ language, title, entries, publicUrl }: Feed): string {
  const url = (path: string) => escapeXml(new URL(path, publicUrl).href);
  // A feed is ordered by time; feed readers do not support pinned entries.
  const newest = entries.toSorted((a, b) => (a.published_at < b.published_at ? 1 : -1)).slice(0, MAX_ENTRIES);
  const shown = newest.map(
    ({ id, title: heading, summary, published_at }) => `  <entry>
    <id>${url(`/news/${id}`)}</id>
    <title>${escapeXml(heading)}</title>
    <link href="${url(`/news/${id}`)}"/>
    <published>${published_at}</published>
    <updated>${published_at}</updated>
    <summary>${escapeXml(summary)}</summary>
  </entry>
`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
  <id>${url('/news')}</id>
  <title>${escapeXml(title)}</title>
  <updated>${newest[0]?.published_at ?? EPOCH}</updated>
  <author><name>${escapeXml(title)}</name></author>
  <link rel="self" href="${url('/news.xml')}"/>
  <link href="${url('/news')}"/>
${shown.join('')}</feed>
`;
}

/** Leaves out the two characters of a line that XML does not allow. */
const escapeXml = (text: string) => escapeHtml(text.replaceAll(/[\ufffe\uffff]/g, ''));
