import type { Static } from 'typebox';
import {
  Email,
  line,
  NewAccount,
  OneTimeCode,
  orNull,
  Password,
  RecoveryCodes,
  ServerId,
  strict,
  Time,
  TotpSecret,
  VerificationCode,
} from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { Session } from './accounts.ts';

const own = { auth: 'player', tag: 'own account', secret: true } as const;

export const OwnAccount = strict({
  account: Type.String(),
  email: orNull(Type.String()),
  created_at: orNull({ ...Time, description: 'Null for an imported account without a registration time.' }),
  last_login_at: orNull(Time),
  two_factor: strict({ enabled: Type.Boolean() }),
  recovery_codes_left: Type.Optional(
    Type.Integer({ description: 'Unused recovery codes, if two-factor login is on.' }),
  ),
  deletion_at: orNull(Time),
  has_password: Type.Boolean({
    description: 'False for an account created through the forum that has not set a password.',
  }),
  may_choose_name: Type.Boolean({
    description: 'True for an account created through the forum that has not chosen its name.',
  }),
  password_temporary: Type.Optional(
    Type.Literal(true, { description: 'An operator made the password; the player should change it now.' }),
  ),
});
export type OwnAccount = Static<typeof OwnAccount>;

const ownAccount = route({
  ...own,
  method: 'GET',
  path: '/api/account',
  summary: 'Get the caller’s account',
  answers: { 200: { description: 'The account', schema: OwnAccount } },
  refusals: [],
});

const changePassword = route({
  ...own,
  method: 'POST',
  path: '/api/account/password',
  summary: 'Change the caller’s password and revoke all other tokens',
  body: strict({
    old_password: Type.Optional(Password),
    password: Password,
  }),
  answers: { 200: { description: 'Changed; a new token', schema: Session } },
  refusals: ['invalid_credentials', 'weak_password', 'too_many_attempts'],
});

const signOutEverywhere = route({
  ...own,
  method: 'POST',
  path: '/api/account/sign_out_everywhere',
  summary: 'Revoke all tokens of the account and return a new one',
  body: strict({}),
  answers: { 200: { description: 'Ended; a new token', schema: Session } },
  refusals: ['too_many_attempts'],
});

const chooseName = route({
  ...own,
  method: 'POST',
  path: '/api/account/name',
  summary: 'Choose the name of an account created through the forum, once',
  body: strict({ account: NewAccount }),
  answers: { 200: { description: 'Chosen; a new token', schema: Session } },
  refusals: ['account_taken', 'already_bound', 'too_many_attempts'],
});

const changeEmail = route({
  ...own,
  method: 'POST',
  path: '/api/account/email',
  summary: 'Change the e-mail address with a code of purpose `email` sent to the new address',
  body: strict({ email: Email, code: VerificationCode, password: Type.Optional(Password) }),
  answers: { 200: { description: 'Changed', schema: OwnAccount } },
  refusals: ['invalid_credentials', 'email_taken', 'invalid_code', 'too_many_attempts'],
});

export const ownLoginKinds = ['login', 'register', 'forum', 'enter', 'refused'] as const;

export const OwnLogin = strict({
  at: Time,
  kind: Type.Enum(ownLoginKinds),
  ip: Type.String(),
  agent: Type.String({ description: 'User-Agent.' }),
  server_id: orNull(ServerId),
});
export type OwnLogin = Static<typeof OwnLogin>;

const ownLogins = route({
  ...own,
  method: 'GET',
  path: '/api/account/logins',
  summary: 'List the last 50 logins and game entries, newest first',
  answers: { 200: { description: 'Logins', schema: strict({ logins: Type.Array(OwnLogin) }) } },
  refusals: [],
});

const beginTotp = route({
  ...own,
  method: 'POST',
  path: '/api/account/totp',
  summary: 'Start setting up two-factor login',
  body: strict({ password: Type.Optional(Password) }),
  answers: {
    200: {
      description: 'A secret that takes effect once it is confirmed',
      schema: TotpSecret,
    },
  },
  refusals: ['invalid_credentials', 'already_bound', 'too_many_attempts'],
});

const confirmTotp = route({
  ...own,
  method: 'POST',
  path: '/api/account/totp/confirm',
  summary: 'Turn two-factor login on with a first code',
  body: strict({ code: OneTimeCode }),
  answers: {
    200: {
      description: 'Turned on; the recovery codes are shown once, and each works once in place of a code',
      schema: RecoveryCodes,
    },
  },
  refusals: ['invalid_credentials', 'already_bound', 'too_many_attempts'],
});

const renewRecoveryCodes = route({
  ...own,
  method: 'POST',
  path: '/api/account/totp/recovery_codes',
  summary: 'Replace the recovery codes of two-factor login; the old ones stop working',
  body: strict({ code: OneTimeCode }),
  answers: { 200: { description: 'The new codes, shown once', schema: RecoveryCodes } },
  refusals: ['invalid_credentials', 'too_many_attempts'],
});

const removeTotp = route({
  ...own,
  method: 'POST',
  path: '/api/account/totp/remove',
  summary: 'Turn two-factor login off',
  body: strict({ password: Password, code: OneTimeCode }),
  answers: { 204: { description: 'Off' } },
  refusals: ['invalid_credentials', 'too_many_attempts'],
});

const loginSecondFactor = route({
  method: 'POST',
  path: '/api/login/second_factor',
  auth: 'none',
  tag: 'accounts',
  summary: 'Finish a login that was answered `second_factor_required`',
  secret: true,
  body: strict({ challenge: line(1, 1024), code: OneTimeCode }),
  answers: { 200: { description: 'Logged in', schema: Session } },
  refusals: ['invalid_credentials', 'account_suspended', 'already_bound', 'too_many_attempts'],
});

const exportAccount = route({
  ...own,
  method: 'GET',
  path: '/api/account/export',
  summary: 'Download everything that is stored about the caller as a JSON file',
  answers: {
    200: {
      description: 'The file',
      schema: Type.Object({}, { additionalProperties: true }),
    },
  },
  refusals: ['too_many_attempts'],
});

const deleteAccount = route({
  ...own,
  method: 'POST',
  path: '/api/account/delete',
  summary:
    'Have the account erased after some days, with a code of purpose `delete`; a login before then cancels it',
  body: strict({
    password: Type.Optional(Password),
    code: VerificationCode,
    second_factor: Type.Optional({
      ...OneTimeCode,
      description: 'A code of the authenticator app or a recovery code, if two-factor login is on.',
    }),
  }),
  answers: { 200: { description: 'Scheduled', schema: strict({ deletion_at: Time }) } },
  refusals: ['invalid_credentials', 'invalid_code', 'second_factor_required', 'too_many_attempts'],
});

const keepAccount = route({
  ...own,
  method: 'POST',
  path: '/api/account/delete/cancel',
  summary: 'Cancel the deletion of the account',
  body: strict({}),
  answers: { 200: { description: 'The account', schema: OwnAccount } },
  refusals: [],
});

export const ownAccountRoutes = {
  loginSecondFactor,
  ownAccount,
  changePassword,
  signOutEverywhere,
  chooseName,
  changeEmail,
  ownLogins,
  beginTotp,
  confirmTotp,
  renewRecoveryCodes,
  removeTotp,
  exportAccount,
  deleteAccount,
  keepAccount,
};
