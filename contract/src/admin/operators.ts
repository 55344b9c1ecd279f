import type { Static } from 'typebox';
import { orNull, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery } from './list.ts';
import { operatorRoles } from './permission.ts';
import { OperatorName, Zones } from './session.ts';

const Role = Type.Enum(operatorRoles);

const operatorFields = {
  name: Type.String(),
  role: Role,
  zones: Zones,
  status: Type.Enum(['active', 'disabled'] as const),
  totp: Type.Boolean(),
  created_at: Time,
  last_login_at: orNull(Time),
  invited_until: orNull(Time),
};
export const ListedOperator = strict(operatorFields);
export type ListedOperator = Static<typeof ListedOperator>;

const ListedKey = strict({
  name: Type.String(),
  role: Role,
  zones: Zones,
  created_at: Time,
  created_by: Type.String(),
  expires_at: orNull(Time),
  last_used_at: orNull(Time),
});
export type ListedKey = Static<typeof ListedKey>;

const write = { auth: 'operator', permission: 'operators.write', tag: 'operators', secret: true } as const;
const ofName = strict({ name: Type.String({ minLength: 1, maxLength: 64 }) });
const Link = Type.String({ description: 'Works once, expires after 24 hours, and is shown once.' });

const listOperators = route({
  ...write,
  method: 'GET',
  path: '/api/admin/operators',
  summary: 'List the operators',
  query: strict(pageQuery),
  answers: { 200: { description: 'Newest first', schema: page('operators', ListedOperator) } },
  refusals: [],
});

const addOperator = route({
  ...write,
  method: 'POST',
  path: '/api/admin/operators',
  audit: 'operator.add',
  summary: 'Invite a new operator',
  body: strict({ name: OperatorName, role: Role, zones: Type.Optional(Zones) }),
  answers: {
    201: { description: 'Invited', schema: audited({ name: Type.String(), link: Link }) },
  },
  refusals: ['operator_taken'],
});

const setOperator = route({
  ...write,
  method: 'PATCH',
  path: '/api/admin/operators/:name',
  // Or operator.disable or operator.enable, depending on the status.
  audit: 'operator.set',
  summary: 'Change the role, zones or status of an operator and end their sessions',
  params: ofName,
  body: strict({
    role: Type.Optional(Role),
    zones: Type.Optional(Zones),
    status: Type.Optional(Type.Enum(['active', 'disabled'] as const)),
  }),
  answers: { 200: { description: 'Changed', schema: audited(operatorFields) } },
  refusals: ['operator_not_found', 'would_lock_out'],
});

const inviteOperator = route({
  ...write,
  method: 'POST',
  path: '/api/admin/operators/:name/invite',
  audit: 'operator.invite',
  summary: 'Invite an operator again and reset their password and two-factor login',
  params: ofName,
  answers: { 200: { description: 'Invited', schema: audited({ link: Link }) } },
  refusals: ['operator_not_found', 'would_lock_out'],
});

const listKeys = route({
  ...write,
  method: 'GET',
  path: '/api/admin/keys',
  summary: 'List the API keys',
  query: strict(pageQuery),
  answers: { 200: { description: 'Newest first', schema: page('keys', ListedKey) } },
  refusals: [],
});

const addKey = route({
  ...write,
  method: 'POST',
  path: '/api/admin/keys',
  audit: 'key.add',
  summary: 'Create an API key for a script',
  body: strict({
    name: OperatorName,
    role: Role,
    zones: Type.Optional(Zones),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Lifetime in days.' })),
  }),
  answers: {
    201: {
      description: 'Created',
      schema: audited({
        name: Type.String(),
        key: Type.String({ description: 'Used as `Authorization: Bearer`; shown once.' }),
      }),
    },
  },
  refusals: ['operator_taken'],
});

const revokeKey = route({
  ...write,
  method: 'DELETE',
  path: '/api/admin/keys/:name',
  audit: 'key.revoke',
  summary: 'Revoke a key',
  params: ofName,
  answers: { 200: { description: 'Revoked', schema: audited({}) } },
  refusals: ['not_found'],
});

export const operatorRoutes = {
  listOperators,
  addOperator,
  setOperator,
  inviteOperator,
  listKeys,
  addKey,
  revokeKey,
};
