import { adminRoutes, type ListedKey, type ListedOperator } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { timeText, timeTextOrNull } from '../../../runtime/time.ts';
import type { KeyRecord } from './key-store.ts';
import type { OperatorAdmin } from './module.ts';
import type { OperatorRecord } from './store.ts';

/** Manages operators and keys, for administrators. */
export function operatorAdminRoutes(app: FastifyInstance, operators: OperatorAdmin): void {
  mountList(app, adminRoutes.listOperators, {
    plural: 'operators',
    shape: ['number', 'number'],
    find: (_input, { limit, after }) => operators.list({ limit, before: after }),
    positionOf: ({ createdAt, id }) => [createdAt, id],
    shown: listedOperator,
  });
  mount(app, adminRoutes.addOperator, async ({ body, operator }) => {
    const { name, role, zones = null } = body;
    const { link, auditId } = await operators.add(operator.actor, { name, role, zones });
    return answered(201, { name, link, audit_id: auditId });
  });
  mount(app, adminRoutes.setOperator, async ({ params, body, operator }) => {
    const { operator: changed, auditId } = await operators.set(operator.actor, { ...params, ...body });
    return { ...listedOperator(changed), audit_id: auditId };
  });
  mount(app, adminRoutes.inviteOperator, async ({ params, operator }) => {
    const { link, auditId } = await operators.invite(operator.actor, params);
    return { link, audit_id: auditId };
  });

  mountList(app, adminRoutes.listKeys, {
    plural: 'keys',
    shape: ['number', 'number'],
    find: (_input, { limit, after }) => operators.keys.list({ limit, before: after }),
    positionOf: ({ createdAt, id }) => [createdAt, id],
    shown: listedKey,
  });
  mount(app, adminRoutes.addKey, async ({ body, operator }) => {
    const { name, zones = null, ...rest } = body;
    const { key, auditId } = await operators.keys.add(operator.actor, { name, zones, ...rest });
    return answered(201, { name, key, audit_id: auditId });
  });
  mount(app, adminRoutes.revokeKey, async ({ params, operator }) => ({
    audit_id: await operators.keys.revoke(operator.actor, params),
  }));
}

const listedOperator = (operator: OperatorRecord): ListedOperator => ({
  name: operator.name,
  role: operator.role,
  zones: operator.zones && [...operator.zones],
  status: operator.status,
  totp: operator.totp,
  created_at: timeText(operator.createdAt),
  last_login_at: timeTextOrNull(operator.lastLoginAt),
  invited_until: timeTextOrNull(operator.invitedUntil),
});

const listedKey = (key: KeyRecord): ListedKey => ({
  name: key.name,
  role: key.role,
  zones: key.zones && [...key.zones],
  created_at: timeText(key.createdAt),
  created_by: key.createdBy,
  expires_at: timeTextOrNull(key.expiresAt),
  last_used_at: timeTextOrNull(key.lastUsedAt),
});
