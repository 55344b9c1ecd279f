import { type AuditRecord, adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mountList } from '../../../http/mount-list.ts';
import { refuseOtherZone } from '../../../http/operator.ts';
import { parseTime, timeText } from '../../../runtime/time.ts';
import type { AuditRecord as Recorded } from '../entry.ts';
import type { AuditAdmin } from './module.ts';

export function auditAdminRoutes(app: FastifyInstance, audit: AuditAdmin): void {
  mountList(app, adminRoutes.listAudit, {
    plural: 'audit',
    shape: ['number', 'string'],
    find({ query, operator }, { limit, after }) {
      if (query.server_id !== undefined) refuseOtherZone(operator, query.server_id);
      const filter = {
        actor: query.actor,
        action: query.action,
        subjectKind: query.subject_kind,
        subjectId: query.subject_id,
        serverId: query.server_id,
        zones: operator.zones,
        from: parseTime(query.from),
        to: parseTime(query.to),
        limit,
      };
      return audit.list(filter, after && { at: after[0], id: after[1] });
    },
    positionOf: ({ at, id }) => [at, id],
    shown: listed,
    recordExport({ query, operator }) {
      if (query.server_id !== undefined) refuseOtherZone(operator, query.server_id);
      const { limit: _limit, cursor: _cursor, ...filter } = query;
      return audit.recordExport(operator.actor, 'audit', filter);
    },
  });
}

const listed = (record: Recorded): AuditRecord => ({ ...record, at: timeText(record.at) });
