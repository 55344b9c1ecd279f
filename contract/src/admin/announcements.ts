import type { Static } from 'typebox';
import { line, orNull, strict, Time } from '../fields.ts';
import {
  Announcement,
  announcementKinds,
  announcementLanguages,
  announcementLevels,
} from '../player/announcements.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery } from './list.ts';

const AnnouncementRecord = strict({
  ...Announcement.properties,
  kind: Type.Enum(announcementKinds),
  pinned: Type.Boolean(),
  summary: Type.String(),
  created_at: Time,
});
export type AnnouncementRecord = Static<typeof AnnouncementRecord>;

/** Upper bounds for texts. The body of a notice has at most 4000 characters. */
export const announcementLengths = { title: 100, summary: 200, body: 20_000 } as const;
/** A news text of four-byte characters, escaped as JSON. */
const BODY_LIMIT = 256 * 1024;

export const announcementTexts = {
  title: line(1, announcementLengths.title, 'One line.'),
  summary: line(0, announcementLengths.summary, 'One line that lists and shared links show, for news.'),
  body: Type.String({
    maxLength: announcementLengths.body,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    description: 'Notice: plain text of at most 4000 characters; line breaks are kept. News: Markdown.',
  }),
};
const { title, summary, body } = announcementTexts;
const level = Type.Enum(announcementLevels);
const optional = {
  kind: Type.Optional(Type.Enum(announcementKinds, { description: '`notice` by default.' })),
  pinned: Type.Optional(Type.Boolean({ description: 'Pinned news are listed first.' })),
  summary: Type.Optional(summary),
  language: Type.Optional(orNull(Type.Enum(announcementLanguages))),
  from: Type.Optional(orNull(Time)),
  until: Type.Optional(orNull(Time)),
};

const operator = { auth: 'operator', tag: 'announcements' } as const;
const write = { ...operator, permission: 'controls.write' } as const;
const ofId = strict({ id: Type.String({ minLength: 1, maxLength: 20 }) });

const listAnnouncements = route({
  ...operator,
  permission: 'read',
  method: 'GET',
  path: '/api/admin/announcements',
  summary: 'List the announcements, including ended ones',
  query: strict(pageQuery),
  answers: { 200: { description: 'Newest first', schema: page('announcements', AnnouncementRecord) } },
  refusals: [],
});

const addAnnouncement = route({
  ...write,
  method: 'POST',
  path: '/api/admin/announcements',
  audit: 'announcement.add',
  bodyLimit: BODY_LIMIT,
  summary: 'Publish a notice on the login page and the home page, or news',
  body: strict({ title, body, level, ...optional }),
  answers: { 201: { description: 'Published', schema: audited({ id: Type.Integer() }) } },
  refusals: [],
});

const setAnnouncement = route({
  ...write,
  method: 'PATCH',
  path: '/api/admin/announcements/:id',
  audit: 'announcement.set',
  summary: 'Change the given fields; null removes a language, start or end',
  params: ofId,
  bodyLimit: BODY_LIMIT,
  body: strict({
    title: Type.Optional(title),
    body: Type.Optional(body),
    level: Type.Optional(level),
    ...optional,
  }),
  answers: { 200: { description: 'Changed', schema: audited({}) } },
  refusals: ['not_found'],
});

const removeAnnouncement = route({
  ...write,
  method: 'DELETE',
  path: '/api/admin/announcements/:id',
  audit: 'announcement.remove',
  summary: 'Remove an announcement',
  params: ofId,
  answers: { 200: { description: 'Removed', schema: audited({}) } },
  refusals: ['not_found'],
});

const previewNews = route({
  ...write,
  method: 'POST',
  path: '/api/admin/announcements/preview',
  audit: null,
  summary: 'Render a news text as players would see it; nothing is stored',
  bodyLimit: BODY_LIMIT,
  body: strict({ body }),
  answers: { 200: { description: 'The text', schema: strict({ body_html: Type.String() }) } },
  refusals: [],
});

export const announcementAdminRoutes = {
  previewNews,
  listAnnouncements,
  addAnnouncement,
  setAnnouncement,
  removeAnnouncement,
};
