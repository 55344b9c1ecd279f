import type { AuditAction } from '@gatehouse/contract/admin';
import type { Trx } from '../../../db/transaction.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { NotifyPlayer } from '../../notices/notify-player.ts';
import type { PlayerAdminStore, PlayerChange, PlayerRef, PlayerState } from './store.ts';

export interface PlayerAdminParts {
  readonly players: PlayerAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface NotifyParts {
  /** Notifies the player by mail. The command line sends no mail. */
  readonly notifyPlayer?: NotifyPlayer | undefined;
}

/** The player and the reason for a change. */
export interface OnPlayer {
  readonly player: PlayerRef;
  readonly reason?: string | undefined;
}

/** The result of a change. `auditId` is null if nothing had to change. */
export interface ChangedPlayer {
  readonly playerId: number;
  readonly auditId: string | null;
}

interface WantedChange {
  readonly action: AuditAction;
  readonly next: (now: PlayerState) => PlayerChange;
  /** Further writes in the same transaction. */
  readonly alongside?: (trx: Trx, player: PlayerState) => Promise<unknown>;
}

/** Changes a player and records the difference. Returns undefined if there is no such account. */
export function changePlayer({ players, audit }: PlayerAdminParts) {
  return (
    actor: Actor,
    { player, reason }: OnPlayer,
    { action, next, alongside }: WantedChange,
  ): Promise<ChangedPlayer | undefined> =>
    audit.transaction(async (trx, append) => {
      const now = await players.stateOf(trx, player);
      if (!now) return undefined;
      const change = next(now);
      const { password_hash: _, email_key: __, ...shown } = change;
      const changed = changes(readable(now), readable(shown));
      if (!changed) return { playerId: now.id, auditId: null };
      await players.change(trx, now, change);
      await alongside?.(trx, now);
      const subject = { kind: 'player', id: now.id };
      return { playerId: now.id, auditId: await append({ actor, action, subject, reason, ...changed }) };
    });
}

type Readable<T> = Omit<T, 'banned_until' | 'two_factor'> & {
  banned_until?: string | null;
  two_factor?: boolean;
};

/** Formats times and flags as the API does. */
function readable<T extends Partial<PlayerState>>(state: T): Readable<T> {
  const { banned_until: until, two_factor: twoFactor, ...rest } = state;
  return {
    ...rest,
    ...(until !== undefined && { banned_until: until === null ? null : new Date(until).toISOString() }),
    ...(twoFactor !== undefined && { two_factor: twoFactor !== 0 }),
  };
}
