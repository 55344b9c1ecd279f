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
      support: Type.Optional(
        Type.String({ description: 'An e-mail address, a URL, or what else leads there.' }),
      ),
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
  summary: 'Basic game configuration, with the withdrawal parameters',
  answers: {
    200: { description: 'Configuration', schema: PublicConfig },
    304: { description: 'Unchanged since the ETag the caller holds' },
  },
  refusals: [],
});

const agreement = route({
  method: 'GET',
  path: '/api/misc/agree',
  auth: 'none',
  tag: 'site',
  summary: 'The user agreement, in the reader’s language where the operator has it',
  ignoreUnknownText: true,
  query: strict({
    language: Type.Optional(line(1, 35, 'A language tag; without it Accept-Language decides.')),
  }),
  answers: {
    200: { description: 'The agreement', mediaType: 'text/html' },
    304: { description: 'Unchanged since the ETag the caller holds' },
  },
  refusals: [],
});

export const siteRoutes = { config, agreement };
