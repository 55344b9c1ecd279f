import type { TProperties, TSchema } from 'typebox';
import { Type } from './type.ts';

/** Declares an object that refuses unknown fields. */
export function strict<P extends TProperties>(properties: P, options: { description?: string } = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** Text on one line: no control characters, length in code points. */
export function line(min: number, max: number, description?: string) {
  return Type.String({
    minLength: min,
    maxLength: max,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    ...(description && { description }),
  });
}

const MAX_INT32 = 2_147_483_647;

export const ServerId = Type.Integer({ minimum: 1, maximum: MAX_INT32, description: 'A game zone.' });

/** Present only if the answer concerns another zone than the one named in the request. */
export const OriginServerId = Type.Optional(
  Type.Integer({
    ...ServerId,
    description: 'The requested zone, if it has been merged into `server_id`.',
  }),
);

/** Present with OriginServerId in answers that name no zone otherwise. */
export const CurrentServerId = Type.Optional(
  Type.Integer({
    ...ServerId,
    description: 'The current zone, if the requested one has been merged into it.',
  }),
);

/** Accepts any old account name; new ones must match NewAccount. */
export const MAX_ACCOUNT_LENGTH = 64;
export const Account = line(1, MAX_ACCOUNT_LENGTH, 'Account name, compared without regard to case.');

export const LoginName = line(
  1,
  254,
  'Account name, compared without regard to case; or the e-mail address of exactly one account.',
);

export const NewAccount = Type.String({
  pattern: '^[A-Za-z0-9_]{4,24}$',
  description: '4 to 24 letters, digits or underscores; unique, ignoring case.',
});

/** Bounds the length only. The required strength is a setting, refused as weak_password. */
export const Password = Type.String({ minLength: 1, maxLength: 256 });

/** The service trims spaces and lower-cases it. */
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern:
    "^ *[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+ *$",
  description: 'E-mail address.',
});

/** Any text fits the schema: a code that is not six digits is a wrong code, not a malformed request. */
export const VerificationCode = line(1, 16, 'The six digits from the mail.');

export const OneTimeCode = line(1, 32, 'The six digits of the authenticator, or a recovery code.');

export const TotpSecret = strict({
  secret: Type.String({ description: 'Base32, for authenticator apps.' }),
  otpauth_url: Type.String({ description: 'The URI to show as a QR code.' }),
});

export const RecoveryCodes = strict({ recovery_codes: Type.Array(Type.String()) });

export const codePurposes = ['register', 'reset', 'email', 'delete'] as const;
export type CodePurpose = (typeof codePurposes)[number];

export const CodePurpose = Type.Enum(codePurposes, {
  description: 'The only purpose for which the code is valid; without it, `register` and `reset`.',
});

export const Provider = Type.String({
  pattern: '^[a-z0-9_-]{1,32}$',
  description: 'Identity provider; `forum` by default.',
});

export const ConnectId = line(1, 191, 'The identifier of the account at the identity provider.');

export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds.' });

export const Amount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
