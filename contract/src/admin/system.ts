import type { Static } from 'typebox';
import { strict } from '../fields.ts';
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

export const systemRoutes = { doctor, settings };
