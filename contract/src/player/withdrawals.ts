import type { Static } from 'typebox';
import {
  Amount,
  CurrentServerId,
  line,
  OneTimeCode,
  OriginServerId,
  orNull,
  ServerId,
  strict,
  Time,
} from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

export const withdrawStates = ['accepted', 'sending', 'done', 'refused', 'failed', 'unknown'] as const;
export type WithdrawState = (typeof withdrawStates)[number];

const RoleId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const RoleRef = Type.Union([RoleId, line(1, 64)], { description: 'Role id (integer) or exact role name.' });

export const Role = strict({
  role_id: RoleId,
  name: Type.String(),
  level: Type.Integer(),
  balance: Type.Integer({ description: 'The amount that can be withdrawn now.' }),
  settling: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Held back in addition to `balance` for a few seconds, because the game may not have saved the last withdrawal yet.',
    }),
  ),
});
export type Role = Static<typeof Role>;

const roles = route({
  method: 'GET',
  path: '/api/game/roles',
  auth: 'player',
  tag: 'withdrawals',
  summary: 'List the caller’s roles in a zone with the amounts they can withdraw',
  secret: true,
  query: strict({ server_id: ServerId }),
  answers: {
    200: {
      description: 'Roles',
      schema: strict({
        roles: Type.Array(Role),
        server_id: CurrentServerId,
        origin_server_id: OriginServerId,
      }),
    },
  },
  refusals: ['server_not_found', 'server_closed', 'too_many_attempts', 'game_server_unavailable'],
});

const outcome = {
  withdraw_id: Type.String(),
  state: Type.Enum(withdrawStates, {
    description:
      '`done`: taken. `refused`, `failed`: nothing was taken. `accepted`, `sending`, `unknown`: the outcome is not known yet.',
  }),
  server_id: ServerId,
  role: RoleRef,
  amount: Amount,
};

export const WithdrawOutcome = strict({
  ...outcome,
  balance_after: Type.Optional(orNull(Type.Integer())),
  origin_server_id: OriginServerId,
});
export type WithdrawOutcome = Static<typeof WithdrawOutcome>;

const withdraw = route({
  method: 'POST',
  path: '/api/game/withdraw',
  auth: 'player',
  tag: 'withdrawals',
  summary: 'Withdraw currency from a role',
  secret: true,
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,128}$',
        description: 'Repeating a request with the same key returns the same answer and never deducts twice.',
      }),
    ),
  }),
  body: strict({
    server_id: ServerId,
    role: RoleRef,
    amount: Amount,
    code: Type.Optional(OneTimeCode),
  }),
  answers: {
    200: { description: 'Deducted, confirmed by the game server', schema: WithdrawOutcome },
    202: { description: 'Accepted; the outcome is not known yet', schema: WithdrawOutcome },
  },
  refusals: [
    'invalid_credentials',
    'second_factor_required',
    'withdraw_disabled',
    'server_not_found',
    'server_closed',
    'role_not_found',
    'withdraw_in_progress',
    'deduction_refused',
    'amount_out_of_range',
    'insufficient_balance',
    'idempotency_conflict',
    'too_many_attempts',
    'game_server_unavailable',
    'unavailable',
  ],
});

export const WithdrawRecord = strict({
  ...outcome,
  role: Type.String({ description: 'Role name.' }),
  role_id: orNull(RoleId),
  created_at: Time,
  updated_at: Time,
});
export type WithdrawRecord = Static<typeof WithdrawRecord>;

const withdrawals = route({
  method: 'GET',
  path: '/api/game/withdrawals',
  auth: 'player',
  tag: 'withdrawals',
  summary: 'List the caller’s withdrawals, newest first',
  secret: true,
  query: strict({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    next: Type.Optional(line(1, 200, 'The `next` of the page before.')),
    include: Type.Optional(
      Type.Literal('day', { description: 'Also returns how much of the daily limit is used.' }),
    ),
  }),
  answers: {
    200: {
      description: 'One page',
      schema: strict({
        withdrawals: Type.Array(WithdrawRecord),
        next: orNull(Type.String()),
        day: Type.Optional(
          strict(
            {
              used: Type.Integer({
                description: 'The amount withdrawn today, including withdrawals in progress.',
              }),
              left: orNull(Type.Integer({ description: 'Null if there is no daily limit.' })),
            },
            { description: 'The daily limit of the account; present if `include` is `day`.' },
          ),
        ),
      }),
    },
  },
  refusals: [],
});

export const withdrawalRoutes = { roles, withdraw, withdrawals };
