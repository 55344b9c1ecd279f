import { Account, line, ServerId, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

const Claim = strict({
  account: Account,
  token: line(1, 2048, 'A JWT, a ticket, or the old md5 token of game clients.'),
  server_id: Type.Optional(
    Type.Integer({ ...ServerId, description: 'The zone that asks; a ticket for another zone is refused.' }),
  ),
});

const checkAnswers = {
  200: {
    description: 'The token belongs to this account',
    schema: strict({
      valid: Type.Literal(true),
      account: Type.String(),
      player_id: Type.Integer(),
      format: Type.Enum(['legacy', 'jwt', 'ticket'] as const),
      server_id: Type.Optional(Type.Integer({ ...ServerId, description: 'The zone of a ticket.' })),
      muted_until: Type.Optional({
        ...Time,
        description: 'Present if an operator has muted the player: until then the player may not chat.',
      }),
      mute_reason: Type.Optional(
        Type.String({ description: 'Why the player is muted; empty if the operator gave no reason.' }),
      ),
    }),
  },
} as const;

const check = route({
  method: 'POST',
  path: '/api/check',
  auth: 'none',
  fastPath: true,
  tag: 'game servers',
  summary: 'Verify a token',
  secret: true,
  form: true,
  ignoreUnknownText: true,
  body: Claim,
  answers: checkAnswers,
  refusals: ['invalid_token', 'account_suspended', 'too_many_attempts'],
});

const checkByQuery = route({
  method: 'GET',
  path: '/api/check',
  auth: 'none',
  tag: 'game servers',
  summary: 'Verify a token; the form that old game clients use',
  secret: true,
  query: Claim,
  ignoreUnknownText: true,
  answers: checkAnswers,
  refusals: ['invalid_token', 'account_suspended', 'too_many_attempts'],
});

export const checkRoutes = { check, checkByQuery };
