import type { Static } from 'typebox';
import { line, orNull, strict } from '../fields.ts';
import { route } from '../route.ts';
import { pictureTypes, type SiteFieldName, SiteLink, siteFields, sitePictures } from '../site-fields.ts';
import { Type } from '../type.ts';
import { audited, Reason } from './list.ts';

const Source = Type.Enum(['default', 'file', 'environment', 'console'] as const, {
  description: 'Where the value in force comes from.',
});

const ListedText = strict({ value: orNull(Type.String()), source: Source });
const ListedLinks = strict({ value: Type.Array(SiteLink), source: Source });
const ListedPicture = strict({
  value: orNull(Type.String({ description: 'Its path, such as `/brand/0123456789abcdef.png`.' })),
  source: Source,
  width: Type.Optional(Type.Integer({ description: 'In pixels; 0 if an SVG does not say.' })),
  height: Type.Optional(Type.Integer()),
  bytes: Type.Optional(Type.Integer()),
});
export type ListedPicture = Static<typeof ListedPicture>;

const NewsPicture = strict({
  name: Type.String(),
  url: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
});

const { links: _, ...texts } = siteFields;
const each = <N extends string, S>(names: readonly N[], schema: S) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;

const AdminSite = strict({
  ...each(Object.keys(texts) as Exclude<SiteFieldName, 'links'>[], ListedText),
  links: ListedLinks,
  ...each(sitePictures, ListedPicture),
  news_pictures: Type.Array(NewsPicture, { description: 'Pictures uploaded for news.' }),
});
export type AdminSite = Static<typeof AdminSite>;

const operator = { auth: 'operator', tag: 'admin site' } as const;
const write = { ...operator, permission: 'site.write' } as const;
const ofPicture = strict({ name: Type.String({ minLength: 1, maxLength: 40 }) });
const why = strict({ reason: Type.Optional(Reason) });

const optionalOrNull = <S extends Parameters<typeof orNull>[0]>(schema: S) => Type.Optional(orNull(schema));

const showSite = route({
  ...operator,
  permission: 'read',
  method: 'GET',
  path: '/api/admin/site',
  summary: 'Show name, colour, links, numbers and pictures of the site, each with its source',
  answers: { 200: { description: 'Every field', schema: AdminSite } },
  refusals: [],
});

const setSite = route({
  ...write,
  method: 'PATCH',
  path: '/api/admin/site',
  audit: 'site.set',
  summary: 'Change the given fields, all or nothing; null restores the value of the settings file',
  body: strict({
    title: optionalOrNull(siteFields.title),
    slogan: optionalOrNull(siteFields.slogan),
    slogan_en: optionalOrNull(siteFields.slogan_en),
    accent: optionalOrNull(siteFields.accent),
    links: optionalOrNull(siteFields.links),
    footer: optionalOrNull(siteFields.footer),
    footer_en: optionalOrNull(siteFields.footer_en),
    icp: optionalOrNull(siteFields.icp),
    police: optionalOrNull(siteFields.police),
    support: optionalOrNull(siteFields.support),
    privacy: optionalOrNull(siteFields.privacy),
    reason: Type.Optional(Reason),
  }),
  answers: { 200: { description: 'Changed', schema: audited({}) } },
  refusals: [],
});

const putSiteFile = route({
  ...write,
  method: 'PUT',
  path: '/api/admin/site/files/:name',
  audit: 'site.file',
  summary:
    'Upload a picture: `logo`, `favicon`, `background_wide`, `background_tall`, or `news-…` for the news. The body is the file',
  params: ofPicture,
  query: why,
  upload: pictureTypes,
  // Larger than any picture that is accepted: what is too large is refused by its own code.
  bodyLimit: 8 * 1024 * 1024,
  answers: {
    200: {
      description: 'In use',
      schema: audited({
        url: line(1, 40),
        width: Type.Integer(),
        height: Type.Integer(),
        bytes: Type.Integer(),
      }),
    },
  },
  refusals: ['not_found', 'file_refused', 'unsupported_media_type'],
});

const removeSiteFile = route({
  ...write,
  method: 'DELETE',
  path: '/api/admin/site/files/:name',
  audit: 'site.file',
  summary: 'Remove a picture; the pages show the built-in one again',
  params: ofPicture,
  query: why,
  answers: { 200: { description: 'Removed', schema: audited({}) } },
  refusals: ['not_found'],
});

export const siteAdminRoutes = { showSite, setSite, putSiteFile, removeSiteFile };
