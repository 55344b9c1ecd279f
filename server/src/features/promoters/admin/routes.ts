import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { spanOf } from './change.ts';
import type { PromoterAdmin } from './module.ts';

export function promoterAdminRoutes(app: FastifyInstance, promoters: PromoterAdmin): void {
  mountList(app, adminRoutes.listPromoters, {
    plural: 'promoters',
    shape: ['number'],
    find: ({ query, operator }, { limit, after }) =>
      promoters.page({ span: spanOf(query), zones: operator.zones }, { before: after?.[0], limit }),
    positionOf: ({ agent_id }) => [agent_id],
    shown: (promoter) => promoter,
    recordExport: ({ operator, query }) => promoters.recordExport(operator.actor, query),
  });
  mount(app, adminRoutes.showPromoter, ({ params, query, operator }) =>
    promoters.show(params.agent_id, { span: spanOf(query), zones: operator.zones }),
  );
  mount(app, adminRoutes.addPromoter, async ({ body, operator }) => {
    const added = await promoters.add(operator.actor, body);
    if (!added) throw new Error('a promoter without a wanted id is always added');
    const { agentId, auditId } = added;
    return answered(201, { agent_id: agentId, audit_id: auditId });
  });
  mount(app, adminRoutes.setPromoter, async ({ params, body, operator }) => {
    const change = { agentId: params.agent_id, ...body };
    const { promoter, auditId } = await promoters.set(operator.actor, change);
    return { ...promoter, audit_id: auditId };
  });
}
