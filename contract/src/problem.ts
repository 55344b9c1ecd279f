import type { Static } from 'typebox';
import { refusals } from './refusals.ts';
import { Type } from './type.ts';

const ProofOfWork = Type.Object({
  algorithm: Type.String(),
  challenge: Type.String(),
  salt: Type.String(),
  maxnumber: Type.Integer(),
  signature: Type.String(),
});

/** The one shape of every failure (RFC 9457). */
export const problemOf = <C extends string>(codes: Readonly<Record<C, number>>) =>
  Type.Object({
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.Enum(Object.keys(codes) as C[]),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
    withdraw_id: Type.Optional(Type.String({ description: 'The record of a withdrawal that was refused.' })),
    reason: Type.Optional(Type.String({ description: 'Why an account is suspended.' })),
    account: Type.Optional(
      Type.String({
        description: 'With `account_required` of a forum login: the account that a game server linked.',
      }),
    ),
    challenge: Type.Optional(
      Type.Union([ProofOfWork, Type.String()], {
        description:
          'With `challenge_required`: what to solve first, as ALTCHA has it; the solution goes into X-Challenge-Solution. With `second_factor_required`: what to send to /api/login/second_factor together with the code.',
      }),
    ),
    until: Type.Optional(Type.String({ description: 'When a suspension or the closure of a zone ends.' })),
  });

export const Problem = problemOf(refusals);
export type Problem = Static<typeof Problem>;
