import type { Static } from 'typebox';
import { line, orNull, strict, Time } from '../fields.ts';
import { Announcement, announcementLanguages, announcementLevels } from '../player/announcements.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery } from './list.ts';

const AnnouncementRecord = strict({ ...Announcement.properties, created_at: Time });
export type AnnouncementRecord = Static<typeof AnnouncementRecord>;

const title = line(1, 100, 'One line.');
const body = Type.String({
  maxLength: 4000,
  pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
  description: 'Plain text; line breaks are kept.',
});
const level = Type.Enum(announcementLevels);
const optional = {
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
  summary: 'Publish an announcement on the login page and the home page',
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

export const announcementAdminRoutes = {
  listAnnouncements,
  addAnnouncement,
  setAnnouncement,
  removeAnnouncement,
};
