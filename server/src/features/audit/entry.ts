import type { AuditAction } from '@gatehouse/contract/admin';

/** Who makes a change, and by which way. */
export interface Actor {
  readonly name: string;
  readonly via: 'console' | 'key' | 'cli' | 'service';
  readonly ip?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface AuditEntry {
  /** Given where the caller looks for the row later; otherwise made when it is appended. */
  readonly id?: string | undefined;
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly subject?: { readonly kind: string; readonly id: string | number } | undefined;
  readonly serverId?: number | undefined;
  readonly reason?: string | null | undefined;
  /** Only what changed, and never a secret; both are kept as JSON. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

/** An entry as it was written. */
export interface AuditRecord {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly via: Actor['via'];
  readonly action: AuditAction;
  readonly subjectKind: string | null;
  readonly subjectId: string | null;
  readonly serverId: number | null;
  readonly reason: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly ip: string | null;
  readonly requestId: string | null;
}
