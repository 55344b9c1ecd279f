import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import { refuseOtherZone } from '../../../http/operator.ts';
import type { StatsAdmin } from './module.ts';

const DEFAULT_DAYS = 7;

export function statsAdminRoutes(app: FastifyInstance, stats: StatsAdmin): void {
  mount(app, adminRoutes.dashboard, ({ query, operator }) => {
    const { days = DEFAULT_DAYS, server_id } = query;
    if (server_id !== undefined) refuseOtherZone(operator, server_id);
    return stats.dashboard({ days, zones: server_id === undefined ? operator.zones : [server_id] });
  });
  mount(app, adminRoutes.registrations, ({ query, operator }) =>
    stats.registrations({
      day: query.day,
      zones: operator.zones,
      personal: operator.permissions.has('personal'),
    }),
  );
}
