import { type ListedNews, routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { cachedBody } from '../../http/cached-body.ts';
import { mount } from '../../http/mount.ts';
import { encodeCursor, pageOf, pageRequest, pathId } from '../../http/paging.ts';
import { preferredLanguage } from '../../http/texts/index.ts';
import { Refusal } from '../../refusal.ts';
import type { AnnouncementCache } from './announcement-cache.ts';
import type { RenderMarkdown } from './render-markdown.ts';
import type { AnnouncementStore } from './store.ts';

const PAGE = 20;
/** The sort key: whether it is pinned (1 or 0), when it was published, its id. */
const POSITION = ['number', 'number', 'number'] as const;

interface AnnouncementDeps {
  readonly announcements: AnnouncementCache;
  readonly store: Pick<AnnouncementStore, 'bodyOf'>;
  readonly renderMarkdown: RenderMarkdown;
}

export function announcementRoutes(
  app: FastifyInstance,
  { announcements, store, renderMarkdown }: AnnouncementDeps,
): void {
  mount(app, routes.announcementList, ({ query, request, reply }) => {
    reply.header('vary', 'accept-language');
    return announcements.list(preferredLanguage(query.language ?? request.headers['accept-language']));
  });
  const { news } = announcements;
  mount(app, routes.newsList, ({ query, request, reply }) => {
    const { limit = PAGE, cursor } = query;
    const { after } = pageRequest({ limit, ...(cursor !== undefined && { cursor }) }, POSITION);
    const all = news.of(preferredLanguage(query.language ?? request.headers['accept-language']));
    const rest = after ? all.filter((entry) => isBehind(positionOf(entry), after)) : all;
    const { entries, next } = pageOf(rest, limit, positionOf);
    reply.header('vary', 'accept-language');
    return cachedBody(
      JSON.stringify({ news: entries, next: next === undefined ? null : encodeCursor(next) }),
    );
  });
  mount(app, routes.news, async ({ params }) => {
    const id = pathId(params.id);
    const entry = news.find(id);
    const body = entry && (await store.bodyOf(id));
    if (entry === undefined || body === undefined) throw new Refusal('not_found');
    return cachedBody(JSON.stringify({ ...entry, body_html: await renderMarkdown(body) }));
  });
}

const positionOf = ({ pinned, published_at, id }: ListedNews) =>
  [Number(pinned), Date.parse(published_at), id] as const;

type Position = ReturnType<typeof positionOf>;

/** Reports whether an entry comes after a position of the list. */
function isBehind(entry: Position, position: Position): boolean {
  const differs = entry.findIndex((part, index) => part !== position[index]);
  return differs !== -1 && (entry[differs] ?? 0) < (position[differs] ?? 0);
}
