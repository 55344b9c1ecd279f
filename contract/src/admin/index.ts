export { type AuditAction, auditActions } from './audit-action.ts';
export type { Permission } from './permission.ts';
