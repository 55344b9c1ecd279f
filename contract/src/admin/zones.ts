import type { Static } from 'typebox';
import { line, orNull, ServerId, strict, Time } from '../fields.ts';
import { zoneStatuses } from '../player/zones.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { audited, page, pageQuery, Reason } from './list.ts';

const Status = Type.Enum(zoneStatuses);
const Message = line(0, 255, 'What players read while it is in maintenance.');
const Until = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'RFC 3339; the maintenance ends automatically at this time.',
});

export const GmUrl = Type.String({ maxLength: 255, pattern: '^https?://[^\\u0000-\\u0020\\u007f]+$' });

const listedFields = {
  server_id: ServerId,
  name: Type.String(),
  address: Type.String(),
  port: Type.Integer(),
  status: Status,
  sort: Type.Integer(),
  opened_at: orNull(Time),
  message: orNull(Type.String()),
  gm_url: orNull(Type.String({ description: 'Password and query values are replaced by `***`.' })),
  database_url: orNull(Type.String({ description: 'The password is replaced by `***`.' })),
  merged_into: orNull(ServerId),
  maintenance_until: orNull(Time),
  online: orNull(
    Type.Boolean({
      description: 'Whether the game port answered the last probe; null if it is not probed.',
    }),
  ),
  entries_today: Type.Integer(),
  withdrawals_unknown: Type.Integer(),
  gm_receipts: Type.Optional(
    Type.Boolean({ description: 'Whether it gives receipts, where it differs from the settings.' }),
  ),
  gm_signature_version: Type.Optional(
    Type.Integer({ description: 'Where it differs from `gm.signature_version`.' }),
  ),
  gm_failing_since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only while the GM interface fails.' }),
  ),
  gm_failure: Type.Optional(orNull(Type.String({ description: 'The error it began with.' }))),
};
const AdminZone = strict(listedFields);
export type AdminZone = Static<typeof AdminZone>;

const fields = {
  name: line(1, 64),
  address: line(1, 255),
  port: Type.Integer({ minimum: 1, maximum: 65535 }),
};
const optionalFields = {
  status: Type.Optional(Status),
  sort: Type.Optional(Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 })),
  opened_at: Type.Optional(orNull(Type.String({ format: 'date-time', maxLength: 40 }))),
  message: Type.Optional(orNull(Message)),
  gm_url: Type.Optional(orNull(GmUrl)),
  database_url: Type.Optional(
    orNull(Type.String({ maxLength: 255, pattern: '^(mysql://|sqlite:)[^\\u0000-\\u001f\\u007f]+$' })),
  ),
  maintenance_until: Type.Optional(orNull(Until)),
  gm_receipts: Type.Optional(
    orNull(Type.Boolean({ description: 'false: the game gives no receipts; null: as the settings say.' })),
  ),
  gm_signature_version: Type.Optional(
    orNull(Type.Integer({ minimum: 1, maximum: 2, description: 'null: as `gm.signature_version` says.' })),
  ),
  reason: Type.Optional(Reason),
};
const ChangedZone = strict({
  name: Type.Optional(fields.name),
  address: Type.Optional(fields.address),
  port: Type.Optional(fields.port),
  ...optionalFields,
});
export type ChangedZone = Static<typeof ChangedZone>;

const write = { auth: 'operator', permission: 'zones.write', tag: 'admin zones', secret: true } as const;
const ofZone = strict({ server_id: Type.String({ minLength: 1, maxLength: 16 }) });

const listZones = route({
  ...write,
  permission: 'read',
  method: 'GET',
  path: '/api/admin/zones',
  summary: 'List the zones, including closed and merged ones',
  query: strict(pageQuery),
  answers: { 200: { description: 'Highest number first', schema: page('zones', AdminZone) } },
  refusals: [],
});

const addZone = route({
  ...write,
  method: 'POST',
  path: '/api/admin/zones',
  audit: 'zone.add',
  summary: 'Add a zone',
  body: strict({ server_id: ServerId, ...fields, ...optionalFields }),
  answers: { 201: { description: 'Added', schema: audited({ server_id: ServerId }) } },
  refusals: ['already_bound', 'permission_denied'],
});

const setZone = route({
  ...write,
  method: 'PATCH',
  path: '/api/admin/zones/:server_id',
  audit: 'zone.set',
  summary: 'Change a zone; `status` needs a `reason`, and a URL sent back with `***` keeps its password',
  params: ofZone,
  body: ChangedZone,
  answers: { 200: { description: 'Changed', schema: audited(listedFields) } },
  refusals: ['server_not_found', 'permission_denied'],
});

const setZoneStatus = route({
  ...write,
  method: 'POST',
  path: '/api/admin/zones/status',
  audit: 'zone.status',
  summary: 'Change the status of several zones; changes all or none',
  body: strict({
    server_ids: Type.Array(ServerId, { minItems: 1, maxItems: 1000 }),
    status: Status,
    message: Type.Optional(Message),
    until: Type.Optional(Until),
    reason: Reason,
  }),
  answers: {
    200: {
      description: 'Changed',
      schema: audited({
        zones: Type.Array(audited({ server_id: ServerId, status: Status })),
      }),
    },
  },
  refusals: ['server_not_found'],
});

const ZoneCheck = strict({
  check: Type.String(),
  result: Type.Enum(['ok', 'failed', 'skipped'] as const),
  detail: Type.String(),
});
export type ZoneCheck = Static<typeof ZoneCheck>;

const testZone = route({
  ...write,
  method: 'POST',
  path: '/api/admin/zones/:server_id/test',
  audit: null,
  summary: 'Test the game database and the GM interface of a zone; changes nothing',
  params: ofZone,
  answers: { 200: { description: 'Tested', schema: strict({ checks: Type.Array(ZoneCheck) }) } },
  refusals: ['server_not_found'],
});

const mergeZone = route({
  ...write,
  method: 'POST',
  path: '/api/admin/zones/:server_id/merge',
  audit: 'zone.merge',
  summary: 'Merge a zone into another one',
  params: ofZone,
  body: strict({
    into: ServerId,
    reason: Reason,
    dry_run: Type.Optional(Type.Boolean({ description: 'Only report what would change.' })),
  }),
  answers: {
    200: {
      description: 'Merged; with `dry_run`, what would change',
      schema: audited({
        server_id: ServerId,
        into: ServerId,
        dry_run: Type.Boolean(),
        players: Type.Integer({ description: 'Players who entered this zone last.' }),
        withdrawals: Type.Integer({ description: 'Withdrawal records of the zone; they stay unchanged.' }),
        open_withdrawals: Type.Integer({ description: 'Withdrawals that prevent a merge.' }),
      }),
    },
  },
  refusals: ['server_not_found', 'zone_has_open_withdrawals', 'already_bound'],
});

export const zoneAdminRoutes = { listZones, addZone, setZone, setZoneStatus, testZone, mergeZone };
