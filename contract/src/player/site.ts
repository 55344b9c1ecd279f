import type { Static } from 'typebox';
import { Amount, line, strict } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

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
  site: Type.Optional(
    strict({
      support: Type.Optional(Type.String({ description: 'An e-mail address, a URL or a line of text.' })),
      privacy: Type.Optional(Type.String({ description: 'URL of the privacy policy.' })),
    }),
  ),
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
