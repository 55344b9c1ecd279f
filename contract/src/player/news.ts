import type { Static } from 'typebox';
import { line, orNull, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

const listed = {
  id: Type.Integer(),
  title: Type.String(),
  summary: Type.String({ description: 'Empty if there is none.' }),
  pinned: Type.Boolean(),
  published_at: Time,
};

export const ListedNews = strict(listed);
export type ListedNews = Static<typeof ListedNews>;

export const News = strict({
  ...listed,
  body_html: Type.String({ description: 'Rendered from Markdown: no script, no style, no event attribute.' }),
});
export type News = Static<typeof News>;

const newsList = route({
  method: 'GET',
  path: '/api/news',
  auth: 'none',
  tag: 'site',
  summary: 'List the news for readers of one language or of all, pinned first, then newest first',
  query: strict({
    language: Type.Optional(
      line(1, 35, 'A language tag; without it Accept-Language decides, and without both all are listed.'),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Most entries of a page.' }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 512, description: 'The `next` of the page before.' }),
    ),
  }),
  answers: {
    200: {
      description: 'A page of the news',
      schema: strict({
        news: Type.Array(ListedNews),
        next: orNull(
          Type.String({ description: 'The cursor of the next page; null at the end of the list.' }),
        ),
      }),
    },
    304: { description: 'Unchanged since the ETag the caller holds' },
  },
  refusals: [],
});

const news = route({
  method: 'GET',
  path: '/api/news/:id',
  auth: 'none',
  tag: 'site',
  summary: 'Show one news entry with its text as HTML',
  params: strict({ id: Type.String({ minLength: 1, maxLength: 20 }) }),
  answers: {
    200: { description: 'The news', schema: News },
    304: { description: 'Unchanged since the ETag the caller holds' },
  },
  refusals: ['not_found'],
});

export const newsRoutes = { newsList, news };
