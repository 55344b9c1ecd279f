import { operatorRoutes } from './operators.ts';
import { sessionRoutes } from './session.ts';
import { zoneAdminRoutes } from './zones.ts';

export { type AuditAction, auditActions } from './audit-action.ts';
export type { ListedKey, ListedOperator } from './operators.ts';
export {
  type OperatorRole,
  operatorRoles,
  type Permission,
  permissions,
  permissionsOf,
} from './permission.ts';
export { type OperatorRefusalCode, operatorRefusals } from './refusals.ts';
export type { OperatorSession } from './session.ts';
export type { AdminZone, ChangedZone, ZoneCheck } from './zones.ts';

/** Every route of the operators' API, by name, in the order of its OpenAPI document. */
export const adminRoutes = { ...sessionRoutes, ...operatorRoutes, ...zoneAdminRoutes };
