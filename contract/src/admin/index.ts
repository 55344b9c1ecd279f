export type { AuditAction } from './audit-action.ts';
export type { Permission } from './permission.ts';
