import type { Static } from 'typebox';
import { line, orNull, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

export const announcementLevels = ['info', 'warning'] as const;
export type AnnouncementLevel = (typeof announcementLevels)[number];

export const announcementLanguages = ['zh-CN', 'en'] as const;
export type AnnouncementLanguage = (typeof announcementLanguages)[number];

export const announcementKinds = ['notice', 'news'] as const;
export type AnnouncementKind = (typeof announcementKinds)[number];

export const Announcement = strict({
  id: Type.Integer(),
  title: Type.String(),
  body: Type.String({ description: 'Plain text; show line breaks.' }),
  level: Type.Enum(announcementLevels),
  language: orNull(Type.Enum(announcementLanguages)),
  from: orNull(Time),
  until: orNull(Time),
});
export type Announcement = Static<typeof Announcement>;

const announcementList = route({
  method: 'GET',
  path: '/api/announcement/list',
  auth: 'none',
  tag: 'site',
  summary: 'List the current notices, newest first, for readers of one language or of all',
  query: strict({
    language: Type.Optional(
      line(1, 35, 'A language tag; without it Accept-Language decides, and without both all are listed.'),
    ),
  }),
  answers: {
    200: {
      description: 'The current announcements',
      schema: strict({ announcements: Type.Array(Announcement) }),
    },
    304: { description: 'Unchanged since the ETag that the caller sent' },
  },
  refusals: [],
});

export const announcementRoutes = { announcementList };
