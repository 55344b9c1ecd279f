import { orNull, ServerId, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A date in `time_zone`.' });

const read = {
  method: 'GET',
  auth: 'operator',
  permission: 'read',
  tag: 'dashboard',
  secret: true,
} as const;

const dashboard = route({
  ...read,
  path: '/api/admin/dashboard',
  summary: 'Get the figures of the last days and the current state',
  query: strict({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 7 })),
    server_id: Type.Optional(ServerId),
  }),
  answers: {
    200: {
      description: 'Oldest day first, every day present',
      schema: strict({
        days: Type.Array(
          strict({
            day: Day,
            registrations: Count,
            logins: Count,
            players: Type.Integer({ minimum: 0, description: 'Distinct players among the logins.' }),
            entries: Count,
            withdrawn: strict({ done: Count, amount: Count, failed: Count, unknown: Count }),
            legacy_checks: Type.Integer({ minimum: 0, description: 'Accounts that used an md5 token.' }),
          }),
        ),
        so_far: Type.Optional(
          strict(
            {
              hour: Type.Integer({ minimum: 1, maximum: 23 }),
              days: Type.Array(
                strict({
                  day: Day,
                  registrations: Count,
                  logins: Count,
                  players: Count,
                  entries: Count,
                  withdrawn: Count,
                }),
              ),
            },
            {
              description:
                'Today, yesterday and the same day last week up to the last full hour of today, for a fair comparison. Without days that were not summed by hour, and absent in the first hour of a day.',
            },
          ),
        ),
        now: strict({
          registrations: Count,
          cap: Count,
          withdrawals_open: Count,
          withdrawals_unknown: Count,
          zones_down: Count,
        }),
      }),
    },
  },
  refusals: ['server_not_found'],
});

const registrations = route({
  ...read,
  path: '/api/admin/registrations',
  summary: 'Get the registrations of a day',
  query: strict({ day: Type.Optional(Day) }),
  answers: {
    200: {
      description: 'Largest first; blocks of addresses only with the permission `personal`',
      schema: strict({
        day: Day,
        cap: Count,
        count: Count,
        by_hour: Type.Array(Count, { minItems: 24, maxItems: 24 }),
        by_promoter: Type.Array(
          strict({ agent_id: orNull(Type.Integer()), name: orNull(Type.String()), count: Count }),
        ),
        by_block: Type.Array(
          strict({ block: Type.String({ description: 'A /24 or a /64.' }), count: Count }),
        ),
      }),
    },
  },
  refusals: [],
});

const legacy = route({
  ...read,
  path: '/api/admin/legacy',
  summary: 'List accounts that still use the md5 tokens of old game clients',
  answers: {
    200: {
      description: 'Newest day first; each account counts in the zone it entered last',
      schema: strict({
        days: Type.Array(
          strict({
            day: Day,
            accounts: Count,
            zones: Type.Array(strict({ server_id: orNull(ServerId), accounts: Count })),
          }),
        ),
        last: Type.Array(
          strict({
            account: Type.String(),
            player_id: Type.Integer(),
            seen_at: Time,
            server_id: orNull(ServerId),
          }),
        ),
      }),
    },
  },
  refusals: [],
});

export const dashboardRoutes = { dashboard, registrations, legacy };
