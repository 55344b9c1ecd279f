import type { AuditAction } from '@gatehouse/contract/admin';
import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { PlayerAdminStore, PlayerChange, PlayerState } from './store.ts';

export interface PlayerAdminParts {
  readonly players: PlayerAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface OnAccount {
  readonly account: string;
  readonly reason?: string | undefined;
}

/** Changes a player and records what changed; false where there is no such account. */
export function changePlayer({ players, audit }: PlayerAdminParts) {
  return (
    actor: Actor,
    action: AuditAction,
    { account, reason }: OnAccount,
    next: (now: PlayerState) => PlayerChange,
  ): Promise<boolean> =>
    audit.transaction(async (trx, append) => {
      const now = await players.stateOf(trx, account);
      if (!now) return false;
      const change = next(now);
      const { password_hash: _, ...shown } = change;
      const changed = changes(readable(now), readable(shown));
      if (!changed) return true;
      await players.change(trx, now, change);
      await append({ actor, action, subject: { kind: 'player', id: now.id }, reason, ...changed });
      return true;
    });
}

type Readable<T> = Omit<T, 'banned_until'> & { banned_until?: string | null };

/** Times as the API writes them. */
function readable<T extends Partial<PlayerState>>(state: T): Readable<T> {
  const { banned_until: until, ...rest } = state;
  if (until === undefined) return rest;
  return { ...rest, banned_until: until === null ? null : new Date(until).toISOString() };
}
