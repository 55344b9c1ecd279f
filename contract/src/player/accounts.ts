import type { Static } from 'typebox';
import {
  Account,
  CodePurpose,
  Email,
  LoginName,
  line,
  NewAccount,
  orNull,
  Password,
  ServerId,
  strict,
  Time,
  VerificationCode,
} from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

export const Session = strict({
  token: Type.String({ description: 'JWT, valid 24 hours; `Authorization: Bearer`.' }),
  token_type: Type.Literal('Bearer'),
  expires_at: Time,
  account: Type.String(),
  server_id: orNull(ServerId),
  deletion_cancelled: Type.Optional(
    Type.Literal(true, { description: 'This login cancelled the deletion of the account.' }),
  ),
  password_temporary: Type.Optional(
    Type.Literal(true, { description: 'An operator made the password; the player should change it now.' }),
  ),
});
export type Session = Static<typeof Session>;

const login = route({
  method: 'POST',
  path: '/api/login',
  auth: 'none',
  fastPath: true,
  tag: 'accounts',
  summary: 'Log in with account and password',
  secret: true,
  body: strict({ account: LoginName, password: Password }),
  answers: { 200: { description: 'Logged in', schema: Session } },
  refusals: [
    'invalid_credentials',
    'second_factor_required',
    'account_suspended',
    'challenge_required',
    'too_many_attempts',
  ],
});

const register = route({
  method: 'POST',
  path: '/api/register',
  auth: 'none',
  tag: 'accounts',
  summary: 'Register an account with a code from send_code',
  secret: true,
  foreignQuery: true,
  query: Type.Object(
    {
      agent_id: Type.Optional(
        Type.Unknown({ description: 'Promoter ID. Unknown or malformed values are ignored.' }),
      ),
    },
    { additionalProperties: true },
  ),
  body: strict({
    account: NewAccount,
    password: Password,
    email: Email,
    code: VerificationCode,
    server_id: Type.Optional(ServerId),
    device: Type.Optional(line(0, 128)),
    os: Type.Optional(line(0, 128)),
    browse: Type.Optional(line(0, 128)),
  }),
  answers: { 201: { description: 'Registered and logged in', schema: Session } },
  refusals: [
    'server_not_found',
    'account_taken',
    'email_taken',
    'invalid_code',
    'weak_password',
    'challenge_required',
    'too_many_attempts',
    'registration_cap_reached',
  ],
});

const sendCode = route({
  method: 'POST',
  path: '/api/send_code',
  auth: 'none',
  tag: 'accounts',
  summary: 'Send a verification code by e-mail',
  body: strict({ email: Email, purpose: Type.Optional(CodePurpose) }),
  answers: {
    200: {
      description: 'Sent; does not reveal whether the address has an account',
      schema: strict({
        expires_in: Type.Integer({ description: 'Lifetime of the code in seconds.' }),
        resend_after: Type.Integer({ description: 'Seconds until another code can be requested.' }),
      }),
    },
  },
  refusals: ['challenge_required', 'too_many_attempts', 'registration_cap_reached', 'mail_unavailable'],
});

const resetPassword = route({
  method: 'POST',
  path: '/api/reset_password',
  auth: 'none',
  tag: 'accounts',
  summary: 'Set a new password with a code from send_code and revoke all earlier tokens',
  secret: true,
  body: strict({
    email: Email,
    code: VerificationCode,
    password: Password,
    account: Type.Optional(Account),
    unbind: Type.Optional(
      Type.Boolean({
        description: 'Also removes the bindings of the account, so that no forum account can log in to it.',
      }),
    ),
  }),
  answers: { 200: { description: 'Changed', schema: strict({ account: Type.String() }) } },
  refusals: ['account_not_found', 'invalid_code', 'account_required', 'weak_password', 'too_many_attempts'],
});

const logout = route({
  method: 'POST',
  path: '/api/logout',
  auth: 'player',
  tag: 'accounts',
  summary: 'End this session: its token is refused immediately here and within 2 s on other instances',
  answers: { 204: { description: 'Ended' } },
  refusals: ['too_many_attempts'],
});

export const accountRoutes = { login, register, sendCode, resetPassword, logout };
