/** Every change that operators make, `noun.verb`. */
export const auditActions = [
  'player.ban',
  'player.unban',
  'player.sign_out',
  'player.reset_password',
  'player.set_email',
  'player.note',
  'zone.add',
  'zone.set',
  'zone.status',
  'zone.merge',
  'zone.remove',
  'withdraw.propose',
  'withdraw.settle',
  'withdraw.receipt',
  'promoter.add',
  'promoter.set',
  'control.set',
  'control.clear',
  'deny.add',
  'deny.remove',
  'announcement.add',
  'announcement.set',
  'announcement.remove',
  'operator.add',
  'operator.set',
  'operator.disable',
  'operator.enable',
  'operator.invite',
  'operator.password',
  'operator.totp',
  'operator.login_failed',
  'key.add',
  'key.revoke',
  'webhook.add',
  'webhook.set',
  'webhook.remove',
  'webhook.replay',
  'import.run',
  'export',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Who makes a change, and by which way. */
export interface Actor {
  readonly name: string;
  readonly via: 'console' | 'key' | 'cli' | 'service';
  readonly ip?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface AuditEntry {
  /** Made beforehand by whoever looks for the row later; otherwise made when it is appended. */
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
