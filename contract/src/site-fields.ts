import type { Static } from 'typebox';
import { line, strict } from './fields.ts';
import { Type } from './type.ts';

export const siteLinkIcons = ['download', 'forum', 'community', 'chat', 'help', 'video', 'shop'] as const;

const url = line(1, 500, 'https:, http:, mailto:, or a path of this service that begins with one `/`.');

export const SiteLink = strict({
  label: line(1, 40),
  label_en: Type.Optional(line(0, 40, 'For readers of English; `label` by default.')),
  url,
  icon: Type.Optional(Type.Enum(siteLinkIcons)),
});
export type SiteLink = Static<typeof SiteLink>;

const lines = (description: string) =>
  Type.String({
    maxLength: 300,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    description,
  });

/** The texts of the operator's site. The settings file has them under `[site]`; operators change them while the service runs. */
export const siteFields = {
  title: Type.String({
    minLength: 1,
    maxLength: 40,
    pattern: '^(?=.*[^\\s\\u200b-\\u200f\\u2060])[^\\u0000-\\u001f\\u007f]*$',
    description: 'name of the site; `game.name` by default',
  }),
  slogan: line(0, 80, 'a line below the name'),
  slogan_en: line(0, 80, 'the same for readers of English'),
  accent: Type.String({
    pattern: '^#[0-9A-Fa-f]{6}$',
    description:
      'colour of links and buttons, `#rrggbb`; contrast of at least 4.5:1 on the dark background of the pages',
  }),
  links: Type.Array(SiteLink, {
    maxItems: 12,
    description:
      'up to 12 links, each `{label, label_en, url, icon}`; `icon` is download, forum, community, chat, help, video or shop; in the environment as JSON',
  }),
  footer: lines('plain text at the foot of the pages and mails; line breaks are kept'),
  footer_en: lines('plain text at the foot for readers of English'),
  icp: line(0, 60, 'ICP number, shown as a link to the register'),
  police: Type.String({
    maxLength: 60,
    pattern: '^(?:[^\\d\\u0000-\\u001f\\u007f]*\\d[^\\u0000-\\u001f\\u007f]*)?$',
    description: 'number of the public security register (公安备案), shown as a link to the register',
  }),
  support: line(1, 200, 'where players get help: an e-mail address, a URL or a line of text'),
  privacy: line(1, 500, 'URL of the privacy policy'),
};

export const siteFieldNames = Object.keys(siteFields) as (keyof typeof siteFields)[];
export type SiteFieldName = keyof typeof siteFields;
export type SiteFields = { readonly [N in SiteFieldName]?: Static<(typeof siteFields)[N]> };

/** Pictures of the site. News have more, named `news-…`. */
export const sitePictures = ['logo', 'favicon', 'background_wide', 'background_tall'] as const;
export type SitePicture = (typeof sitePictures)[number];

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/svg+xml'] as const;
export type PictureType = (typeof pictureTypes)[number];
