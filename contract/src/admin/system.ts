import type { Static } from 'typebox';
import { strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';

const Finding = strict({
  check: Type.String(),
  status: Type.Enum(['ok', 'warning', 'failed'] as const),
  detail: Type.String(),
  fix: Type.Optional(Type.String({ description: 'How to fix it.' })),
});

const ListedSetting = strict({
  name: Type.String({ description: 'As in the settings file, such as `withdraw.enabled`.' }),
  value: Type.Unknown({ description: 'The effective value; null if there is none, `***` for a secret.' }),
  source: Type.Enum(['default', 'file', 'environment', 'control'] as const),
});
export type ListedSetting = Static<typeof ListedSetting>;

const operator = { auth: 'operator', permission: 'system.read', tag: 'system', method: 'GET' } as const;

const doctor = route({
  ...operator,
  path: '/api/admin/doctor',
  summary: 'Check the installation: settings, database, mail, zones; as `gatehouse doctor` does',
  answers: {
    200: { description: 'The findings', schema: strict({ findings: Type.Array(Finding) }) },
  },
  refusals: [],
});

const settings = route({
  ...operator,
  path: '/api/admin/settings',
  summary: 'List the effective settings and their sources; secrets are masked',
  answers: {
    200: { description: 'Every setting', schema: strict({ settings: Type.Array(ListedSetting) }) },
  },
  refusals: [],
});

const Count = Type.Integer({ minimum: 0 });

const ImportSource = strict({
  source: Type.String({ description: 'The table or file of the old accounts, without credentials.' }),
  accounts: Type.Integer({ minimum: 0, description: 'Rows there.' }),
  kept: Type.Integer({ minimum: 0, description: 'Rows that differ because the account was changed here.' }),
  conflicts: Type.Integer({ minimum: 0, description: 'Of these, rows changed on both sides.' }),
  refused: Type.Integer({ minimum: 0, description: 'Rows that cannot become accounts.' }),
  complete: Type.Boolean({ description: 'False if the last run was stopped before the end.' }),
  watch: Type.Integer({ minimum: 0, description: 'Seconds between the runs of `--watch`; 0 for one run.' }),
  changed_at: Time,
  at: Time,
});

const takeover = route({
  ...operator,
  path: '/api/admin/takeover',
  summary: 'Get the state of a takeover from an old service; as `gatehouse takeover status` does',
  answers: {
    200: {
      description: 'The figures of the last imports, 14 days newest first, and what is still open',
      schema: strict({
        accounts_here: Count,
        sources: Type.Array(ImportSource),
        days: Type.Array(
          strict({
            day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A date in `time_zone`.' }),
            legacy_accounts: Type.Integer({ minimum: 0, description: 'Accounts that used an md5 token.' }),
            retired_hits: Type.Integer({ minimum: 0, description: 'Requests for retired paths.' }),
            retired: strict({ api: Count, callback: Count, server_list: Count, login: Count, php: Count }),
          }),
        ),
        open: Type.Array(
          strict({
            against: Type.Enum(['cut_over', 'close'] as const, {
              description: 'Whether it stands against cutting over, or against closing the old service.',
            }),
            code: Type.Enum([
              'not_imported',
              'import_incomplete',
              'import_old',
              'conflicts',
              'refused',
              'no_zones',
              'no_way_back',
              'too_early',
              'legacy_clients',
              'retired_hits',
            ] as const),
            count: Count,
          }),
        ),
      }),
    },
  },
  refusals: [],
});

export const systemRoutes = { doctor, settings, takeover };
