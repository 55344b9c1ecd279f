import type { Static } from 'typebox';
import { line, OneTimeCode, orNull, RecoveryCodes, ServerId, strict, TotpSecret } from '../fields.ts';
import { OpenApi } from '../open-api.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { operatorRoles, permissions } from './permission.ts';

export const OperatorName = Type.String({
  pattern: '^[a-z0-9._-]{2,32}$',
  description: '2 to 32 lower-case letters, digits, dots, underscores or hyphens.',
});

export const Zones = orNull(
  Type.Array(ServerId, {
    minItems: 1,
    maxItems: 1000,
    description: 'The zones an operator is limited to; null for all.',
  }),
);

/** Bounds the length only. Strength is checked separately and refused as `weak_password`. */
const OperatorPassword = Type.String({ minLength: 1, maxLength: 256 });

const OperatorSession = strict({
  name: Type.String(),
  role: Type.Enum(operatorRoles),
  zones: Zones,
  permissions: Type.Array(Type.Enum(permissions)),
  totp: Type.Boolean({ description: 'Whether two-factor login is on.' }),
});
export type OperatorSession = Static<typeof OperatorSession>;

const loggedIn = { 200: { description: 'Logged in; the session is in the cookie', schema: OperatorSession } };

const login = route({
  method: 'POST',
  path: '/api/admin/login',
  auth: 'none',
  tag: 'session',
  summary: 'Log in as an operator',
  secret: true,
  // Any name fits the schema: an impossible name is a wrong credential, not a malformed request.
  body: strict({
    name: line(1, 64),
    password: OperatorPassword,
    code: Type.Optional(OneTimeCode),
  }),
  answers: loggedIn,
  refusals: ['invalid_credentials', 'second_factor_required', 'challenge_required', 'too_many_attempts'],
});

const acceptInvitation = route({
  method: 'POST',
  path: '/api/admin/invitation',
  auth: 'none',
  tag: 'session',
  summary: 'Accept an invitation by choosing a password',
  secret: true,
  body: strict({ invitation: line(1, 128), password: OperatorPassword }),
  answers: loggedIn,
  refusals: ['invalid_ticket', 'weak_password', 'too_many_attempts'],
});

const checkInvitation = route({
  method: 'POST',
  path: '/api/admin/invitation/check',
  auth: 'none',
  tag: 'session',
  summary: 'Check that an invitation is still valid, before a password is chosen',
  secret: true,
  body: strict({ invitation: line(1, 128) }),
  answers: { 200: { description: 'Valid', schema: strict({ name: Type.String() }) } },
  refusals: ['invalid_ticket', 'too_many_attempts'],
});

const own = { auth: 'operator', permission: null, tag: 'session', secret: true } as const;

const logout = route({
  ...own,
  method: 'POST',
  path: '/api/admin/logout',
  audit: null,
  summary: 'End this session',
  answers: { 204: { description: 'Ended' } },
  refusals: [],
});

const me = route({
  ...own,
  method: 'GET',
  path: '/api/admin/me',
  summary: 'Get the operator who is logged in and their permissions',
  answers: { 200: { description: 'The operator', schema: OperatorSession } },
  refusals: [],
});

const changePassword = route({
  ...own,
  method: 'POST',
  path: '/api/admin/me/password',
  audit: 'operator.password',
  summary: 'Change your password and end your other sessions',
  body: strict({ old_password: OperatorPassword, password: OperatorPassword }),
  answers: { 200: { description: 'Changed', schema: OperatorSession } },
  refusals: ['invalid_credentials', 'weak_password', 'permission_denied', 'too_many_attempts'],
});

const beginTotp = route({
  ...own,
  method: 'POST',
  path: '/api/admin/me/totp',
  audit: null,
  summary: 'Start setting up two-factor login',
  answers: {
    200: {
      description: 'A secret that takes effect once it is confirmed',
      schema: TotpSecret,
    },
  },
  refusals: ['already_bound', 'permission_denied'],
});

const confirmTotp = route({
  ...own,
  method: 'POST',
  path: '/api/admin/me/totp/confirm',
  audit: 'operator.totp',
  summary: 'Turn two-factor login on with a first code',
  body: strict({ code: OneTimeCode }),
  answers: {
    200: {
      description: 'Turned on; the recovery codes are shown once, and each works once in place of a code',
      schema: RecoveryCodes,
    },
  },
  refusals: ['invalid_credentials', 'already_bound', 'permission_denied', 'too_many_attempts'],
});

const removeTotp = route({
  ...own,
  method: 'POST',
  path: '/api/admin/me/totp/remove',
  audit: 'operator.totp',
  summary: 'Turn two-factor login off',
  body: strict({ password: OperatorPassword, code: OneTimeCode }),
  answers: { 204: { description: 'Off' } },
  refusals: ['invalid_credentials', 'permission_denied', 'too_many_attempts'],
});

const openapi = route({
  method: 'GET',
  path: '/api/admin/openapi.json',
  auth: 'operator',
  permission: 'read',
  tag: 'session',
  summary: 'This document',
  answers: { 200: { description: 'OpenAPI 3.1', schema: OpenApi } },
  refusals: [],
});

const docs = route({
  method: 'GET',
  path: '/api/admin/docs',
  auth: 'operator',
  permission: 'read',
  tag: 'session',
  summary: 'The page of this document',
  query: strict({
    lang: Type.Optional(Type.String({ description: '`zh-CN` or `en`; without it Accept-Language decides.' })),
  }),
  answers: {
    200: { description: 'The page', mediaType: 'text/html' },
    304: { description: 'Unchanged since the ETag that the caller sent' },
  },
  refusals: [],
});

export const sessionRoutes = {
  login,
  acceptInvitation,
  checkInvitation,
  logout,
  me,
  changePassword,
  beginTotp,
  confirmTotp,
  removeTotp,
  openapi,
  docs,
};
