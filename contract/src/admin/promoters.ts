import type { Static } from 'typebox';
import { line, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery } from './list.ts';

const Count = Type.Integer({ minimum: 0 });
const Status = Type.Enum(['active', 'closed'] as const);
const PromoterName = line(1, 64, 'Name of the promoter.');

const fields = { agent_id: Type.Integer({ minimum: 1 }), name: Type.String(), status: Status };

const Promoter = strict({
  ...fields,
  registrations: Type.Integer({ minimum: 0, description: 'Players registered in the span.' }),
  entered: Type.Integer({ minimum: 0, description: 'Of these, players who entered a game.' }),
  returned: Type.Integer({ minimum: 0, description: 'Of these, players who logged in on a later day.' }),
  addresses: Type.Integer({ minimum: 0, description: 'Distinct addresses they registered from.' }),
  withdrawn: Count,
});
export type Promoter = Static<typeof Promoter>;

const span = { from: Type.Optional(Time), to: Type.Optional(Time) };
const ofId = strict({ agent_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const read = { auth: 'operator', permission: 'read', tag: 'promoters', secret: true } as const;
const write = { ...read, permission: 'promoters.write' } as const;

const listPromoters = route({
  ...read,
  method: 'GET',
  path: '/api/admin/promoters',
  audit: 'export',
  summary: 'List the promoters with the figures of a period; the last 30 days by default',
  query: strict({ ...pageQuery, ...span }),
  answers: { 200: { description: 'Newest first', schema: page('promoters', Promoter) } },
  refusals: [],
});

const showPromoter = route({
  ...read,
  method: 'GET',
  path: '/api/admin/promoters/:agent_id',
  summary: 'Get a promoter with the figures of a period',
  params: ofId,
  query: strict(span),
  answers: { 200: { description: 'The promoter', schema: Promoter } },
  refusals: ['promoter_not_found'],
});

const addPromoter = route({
  ...write,
  method: 'POST',
  path: '/api/admin/promoters',
  audit: 'promoter.add',
  summary: 'Add a promoter',
  body: strict({ name: PromoterName }),
  answers: { 201: { description: 'Added', schema: audited({ agent_id: Type.Integer() }) } },
  refusals: [],
});

const setPromoter = route({
  ...write,
  method: 'PATCH',
  path: '/api/admin/promoters/:agent_id',
  audit: 'promoter.set',
  summary: 'Rename, close or reopen a promoter; the link of a closed one counts no registrations',
  params: ofId,
  body: strict({ name: Type.Optional(PromoterName), status: Type.Optional(Status) }),
  answers: { 200: { description: 'Changed', schema: audited(fields) } },
  refusals: ['promoter_not_found'],
});

export const promoterRoutes = { listPromoters, showPromoter, addPromoter, setPromoter };
