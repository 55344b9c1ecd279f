import type { Static, TOptional, TSchema, TString } from 'typebox';
import { Amount, line, strict } from '../fields.ts';
import { route } from '../route.ts';
import { type SitePicture, siteFields, sitePictures } from '../site-fields.ts';
import { Type } from '../type.ts';

/** Settings files may have longer ones than operators may set. */
const { title: _t, support: _s, privacy: _p, ...bounded } = siteFields;
const text = Type.String();

type Optionals<P extends Record<string, TSchema>> = { [K in keyof P]: TOptional<P[K]> };
const optionals = <P extends Record<string, TSchema>>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as Optionals<P>;

const picturePaths = Object.fromEntries(
  sitePictures.map((name) => [name, Type.String({ description: 'Path of the picture, below `/brand/`.' })]),
) as Record<SitePicture, TString>;

/** The operator's site. What is not set is left out. */
export const Site = strict({
  title: text,
  ...optionals({ ...bounded, support: text, privacy: text }),
  ...optionals(picturePaths),
});
export type Site = Static<typeof Site>;

const Whole = Type.Integer({ minimum: 0 });

export const PublicConfig = strict({
  game: strict({ name: Type.String() }),
  registration: strict({ open: Type.Boolean(), code_ttl: Whole }),
  withdraw: strict({
    enabled: Type.Boolean(),
    currency: Type.String(),
    min: Amount,
    max: Amount,
    step: Amount,
    daily_max: Whole,
    rate: Type.Number(),
  }),
  forum: strict({
    enabled: Type.Boolean(),
    providers: Type.Array(strict({ id: Type.String(), name: Type.String() })),
  }),
  client: strict({
    url: Type.String(),
    handoff: Type.Union([Type.Literal('iframe'), Type.Literal('redirect')]),
  }),
  site: Site,
});
export type PublicConfig = Static<typeof PublicConfig>;

const config = route({
  method: 'GET',
  path: '/api/config',
  auth: 'none',
  fastPath: true,
  tag: 'site',
  summary: 'Get the basic game configuration with the withdrawal parameters',
  answers: {
    200: { description: 'Configuration', schema: PublicConfig },
    304: { description: 'Unchanged since the ETag that the caller sent' },
  },
  refusals: [],
});

const agreement = route({
  method: 'GET',
  path: '/api/misc/agree',
  auth: 'none',
  tag: 'site',
  summary: 'Get the user agreement, in the reader’s language if available',
  ignoreUnknownText: true,
  query: strict({
    language: Type.Optional(line(1, 35, 'A language tag; without it Accept-Language decides.')),
  }),
  answers: {
    200: { description: 'The agreement', mediaType: 'text/html' },
    304: { description: 'Unchanged since the ETag that the caller sent' },
  },
  refusals: [],
});

export const siteRoutes = { config, agreement };
