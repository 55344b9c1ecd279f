import type { Static } from 'typebox';
import { line, orNull, ServerId, strict, Time } from '../fields.ts';
import { route } from '../route.ts';
import { Type } from '../type.ts';
import { auditActions } from './audit-action.ts';
import { page, pageQuery } from './list.ts';

const AuditRecord = strict({
  id: Type.String(),
  at: Time,
  actor: Type.String(),
  via: Type.Enum(['console', 'key', 'cli', 'service'] as const),
  action: Type.String(),
  subject_kind: orNull(Type.String()),
  subject_id: orNull(Type.String()),
  server_id: orNull(Type.Integer()),
  reason: orNull(Type.String()),
  before: Type.Unknown({ description: 'The state before the change; null if there was none.' }),
  after: Type.Unknown({ description: 'The state after the change; null if nothing is left.' }),
  ip: orNull(Type.String()),
  request_id: orNull(Type.String()),
});
export type AuditRecord = Static<typeof AuditRecord>;

const listAudit = route({
  auth: 'operator',
  permission: 'audit.read',
  tag: 'audit',
  method: 'GET',
  path: '/api/admin/audit',
  audit: 'export',
  summary:
    'Who changed what; with `Accept: text/csv` as a file. An operator of some zones sees those zones’ rows',
  query: strict({
    ...pageQuery,
    actor: Type.Optional(line(1, 64)),
    action: Type.Optional(Type.Enum(auditActions)),
    subject_kind: Type.Optional(line(1, 32)),
    subject_id: Type.Optional(line(1, 191)),
    server_id: Type.Optional(ServerId),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
  }),
  answers: { 200: { description: 'Newest first', schema: page('audit', AuditRecord) } },
  refusals: ['server_not_found'],
});

export const auditRoutes = { listAudit };
