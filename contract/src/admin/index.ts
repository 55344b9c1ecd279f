export { type AuditAction, auditActions } from './audit-action.ts';
export { type ControlName, controlNames } from './control-name.ts';
export type { Permission } from './permission.ts';
