import type { Static } from 'typebox';
import { orNull, ServerId, strict, Time } from '../fields.ts';
import { withdrawStates } from '../player/withdrawals.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery, Reason } from './list.ts';
import { PlayerId } from './players.ts';
import { GmUrl } from './zones.ts';

const State = Type.Enum(withdrawStates);
const Settled = Type.Enum(['done', 'failed'] as const, {
  description: '`done`: the game took the currency; `failed`: it did not.',
});

const Proposal = strict(
  { state: Settled, by: Type.String(), at: Time },
  { description: 'The proposal of one operator; another one must agree.' },
);

const listedFields = {
  id: Type.String(),
  state: State,
  server_id: ServerId,
  player_id: Type.Integer(),
  account: orNull(Type.String()),
  role: Type.String({ description: 'Role name; the name the player sent if the role was not found.' }),
  role_id: orNull(Type.Integer()),
  amount: Type.Integer(),
  result_code: orNull(Type.String({ description: 'Why it was refused or failed.' })),
  balance_before: orNull(Type.Integer({ description: 'In the game database, before the command was sent.' })),
  balance_after: orNull(Type.Integer({ description: 'As answered by the game, or calculated.' })),
  proposed: orNull(Proposal),
  created_at: Time,
  updated_at: Time,
};
const ListedWithdrawal = strict(listedFields);
export type ListedWithdrawal = Static<typeof ListedWithdrawal>;

const exchangeFields = {
  status: orNull(Type.Integer({ description: 'HTTP status; null if there was no answer.' })),
  answer: orNull(Type.String({ description: 'The first 2 KB.' })),
};
const Exchange = strict({
  at: Time,
  why: Type.String({ description: 'The result that was read from the answer.' }),
  ...exchangeFields,
});

const WithdrawEvent = strict({
  seq: Type.Integer(),
  at: Time,
  from_state: orNull(State),
  to_state: State,
  why: Type.String(),
  actor: Type.String({ description: 'Such as `player:17`, `service:host:pid` or `operator:name`.' }),
  detail: Type.Unknown({
    description: 'The request, the answer or the reason; null if there is none.',
  }),
});

const WithdrawDetail = strict({
  ...listedFields,
  two_person: Type.Boolean({ description: 'Whether two operators must agree to settle it.' }),
  player: orNull(
    strict({
      player_id: Type.Integer(),
      account: Type.String(),
      email: Type.String({ description: 'Masked without the permission `personal`.' }),
      status: Type.String(),
    }),
  ),
  gm_url: orNull(
    Type.String({
      description:
        'The GM interface that is queried about it: that of the zone when the withdrawal was accepted.',
    }),
  ),
  gm_answer: orNull(Exchange),
  receipt: orNull(Exchange),
  role_withdrawals: Type.Array(ListedWithdrawal, {
    description: 'The 20 newest other withdrawals of the role.',
  }),
  events: Type.Array(WithdrawEvent),
});
export type WithdrawDetail = Static<typeof WithdrawDetail>;

const read = { auth: 'operator', permission: 'read', tag: 'admin withdrawals' } as const;
const settles = {
  auth: 'operator',
  permission: 'withdrawals.settle',
  tag: 'admin withdrawals',
  method: 'POST',
} as const;
const ofId = strict({ id: Type.String({ minLength: 1, maxLength: 64 }) });

const listWithdrawals = route({
  ...read,
  method: 'GET',
  path: '/api/admin/withdrawals',
  audit: 'export',
  summary:
    'List withdrawals, with `Accept: text/csv` as a file. Operators limited to some zones see only those',
  query: strict({
    ...pageQuery,
    state: Type.Optional(State),
    server_id: Type.Optional(ServerId),
    player_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
  answers: { 200: { description: 'Newest first', schema: page('withdrawals', ListedWithdrawal) } },
  refusals: ['server_not_found'],
});

const showWithdrawal = route({
  ...read,
  method: 'GET',
  path: '/api/admin/withdrawals/:id',
  summary: 'Get a withdrawal with its history and the evidence of its outcome',
  params: ofId,
  answers: { 200: { description: 'The withdrawal', schema: WithdrawDetail } },
  refusals: ['withdraw_not_found'],
});

const withdrawBalance = route({
  ...read,
  method: 'GET',
  path: '/api/admin/withdrawals/:id/balance',
  summary: 'Get the current balance of the role, as last saved by the game',
  params: ofId,
  answers: {
    200: {
      description: 'The balance',
      schema: strict({
        balance: orNull(Type.Integer({ description: 'Null if the role is not known or gone.' })),
        at: Time,
      }),
    },
  },
  refusals: ['withdraw_not_found', 'game_server_unavailable'],
});

const playerRoles = route({
  ...read,
  method: 'GET',
  path: '/api/admin/players/:player_id/roles',
  summary: 'List a player’s roles in the zones entered, with balances as last saved by the game',
  params: strict({ player_id: PlayerId }),
  answers: {
    200: {
      description: 'The roles',
      schema: strict({
        roles: Type.Array(
          strict({
            server_id: ServerId,
            role_id: Type.Integer(),
            name: Type.String(),
            level: Type.Integer(),
            balance: Type.Integer(),
          }),
        ),
        unavailable: Type.Array(ServerId, { description: 'Zones whose game database could not be read.' }),
      }),
    },
  },
  refusals: ['account_not_found'],
});

const settlement = audited({ state: State, proposed: orNull(Proposal) });

const settleWithdrawal = route({
  ...settles,
  path: '/api/admin/withdrawals/:id/settle',
  // Or withdraw.propose, if a second operator has to confirm.
  audit: 'withdraw.settle',
  summary: 'Settle an unknown withdrawal; for a large one two operators must agree',
  params: ofId,
  body: strict({ state: Settled, reason: Reason }),
  answers: {
    200: { description: 'Settled', schema: settlement },
    202: { description: 'Saved as a proposal; another operator must agree', schema: settlement },
  },
  refusals: ['withdraw_not_found', 'withdraw_in_progress', 'withdraw_settled', 'second_person_required'],
});

const withdrawReceipt = route({
  ...settles,
  path: '/api/admin/withdrawals/:id/receipt',
  audit: 'withdraw.receipt',
  summary:
    'Request the receipt of an unknown withdrawal from the zone, and settle it if the receipt is proof',
  params: ofId,
  body: strict({}),
  answers: {
    200: {
      description: 'The result; `audit_id` is null if the receipt proves nothing yet',
      schema: audited({
        state: State,
        receipt: orNull(
          strict(
            {
              kind: Type.Enum(['executed', 'not_executed', 'unreadable'] as const),
              amount: orNull(Type.Integer({ description: 'The amount taken according to the zone.' })),
              ...exchangeFields,
            },
            { description: 'Null if the zone gives none.' },
          ),
        ),
        why: Type.String({ description: 'The resulting state.' }),
      }),
    },
  },
  refusals: ['withdraw_not_found', 'withdraw_in_progress', 'withdraw_settled'],
});

const repointWithdrawal = route({
  ...settles,
  path: '/api/admin/withdrawals/:id/gm_url',
  audit: 'withdraw.repoint',
  summary: 'Query another GM interface about an unknown withdrawal; administrators only',
  params: ofId,
  body: strict({ gm_url: GmUrl, reason: Reason }),
  answers: { 200: { description: 'Changed', schema: audited({ gm_url: Type.String() }) } },
  refusals: ['withdraw_not_found', 'withdraw_in_progress', 'withdraw_settled'],
});

const ZoneReconciliation = strict({
  server_id: ServerId,
  done: Type.Integer(),
  done_amount: Type.Integer(),
  refused: Type.Integer(),
  failed: Type.Integer(),
  open: Type.Integer({ description: '`accepted` or `sending`.' }),
  unknown: Type.Integer(),
  unknown_amount: Type.Integer(),
  receipts: Type.Integer({ description: 'Number of settled withdrawals for which the zone gave a receipt.' }),
  drift: orNull(
    Type.Integer({
      description:
        'The amount taken according to the receipts minus the amount recorded as done; null without receipts.',
    }),
  ),
  reconciled_at: Time,
});
export type ZoneReconciliation = Static<typeof ZoneReconciliation>;

const reconciliation = route({
  ...read,
  method: 'GET',
  path: '/api/admin/reconciliation',
  summary: 'Get the result of the nightly reconciliation of a day by zone',
  query: strict({
    day: Type.Optional(
      Type.String({
        format: 'date',
        description: 'In `time_zone`; defaults to yesterday.',
      }),
    ),
  }),
  answers: {
    200: {
      description: 'One row per zone with withdrawals; empty until the day has been reconciled',
      schema: strict({ zones: Type.Array(ZoneReconciliation) }),
    },
  },
  refusals: [],
});

export const withdrawalDeskRoutes = {
  listWithdrawals,
  showWithdrawal,
  withdrawBalance,
  playerRoles,
  settleWithdrawal,
  withdrawReceipt,
  repointWithdrawal,
  reconciliation,
};
