import { operatorRoutes } from './operators.ts';
import { sessionRoutes } from './session.ts';

export type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from '../route.ts';
export { type AuditAction, auditActions } from './audit-action.ts';
export type { ListedKey, ListedOperator } from './operators.ts';
export {
  type OperatorRole,
  operatorRoles,
  type Permission,
  permissions,
  permissionsOf,
} from './permission.ts';
export type { AdminProblem } from './problem.ts';
export { type OperatorRefusalCode, operatorRefusals } from './refusals.ts';
export type { OperatorSession } from './session.ts';

/** Every route of the operators' API, by name, in the order of its OpenAPI document. */
export const adminRoutes = { ...sessionRoutes, ...operatorRoutes };
