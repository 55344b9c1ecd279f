import type { AuditAction } from '@gatehouse/contract/admin';
import type { Enqueue } from '../../../db/outbox.ts';
import type { Trx } from '../../../db/transaction.ts';
import { Refusal, refuseField, refuseInput } from '../../../refusal.ts';
import { timeTextOrNull } from '../../../runtime/time.ts';
import { type Actor, changes, type Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import { normaliseEmail } from '../../codes/send-code.ts';
import type { NotifyPlayer } from '../../notices/notify-player.ts';
import type { PlayerPageStore } from './page-store.ts';
import {
  EmailTaken,
  type PlayerAdminStore,
  type PlayerChange,
  type PlayerRef,
  type PlayerState,
} from './store.ts';

export interface PlayerStores {
  readonly players: PlayerAdminStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
  /** Notifies the player by mail. The command line sends no mail. */
  readonly notifyPlayer?: NotifyPlayer | undefined;
}

/** The player and the reason for a change. */
export interface PlayerOrder extends Why {
  readonly player: PlayerRef;
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
  readonly extraWrites?: (trx: Trx, player: PlayerState) => Promise<unknown>;
}

/** Changes a player and records the difference. */
export function changePlayer({ players, audit }: PlayerStores) {
  return (
    actor: Actor,
    { player, reason }: PlayerOrder,
    { action, next, extraWrites }: WantedChange,
  ): Promise<ChangedPlayer> =>
    audit.transaction(actor, async (trx, append) => {
      const now = await requirePlayer(players, trx, player);
      const change = next(now);
      const { password_hash: _, email_key: __, password_temporary: ___, ...shown } = change;
      const changed = changes(readable(now), readable(shown));
      if (!changed) return { playerId: now.id, auditId: null };
      await players.change(trx, now, change);
      await extraWrites?.(trx, now);
      const subject = { kind: 'player', id: now.id };
      return { playerId: now.id, auditId: await append({ action, subject, reason, ...changed }) };
    });
}

async function requirePlayer(players: PlayerAdminStore, trx: Trx, player: PlayerRef): Promise<PlayerState> {
  const state = await players.stateOf(trx, player);
  if (!state) throw new Refusal('account_not_found');
  return state;
}

type Readable<T> = Omit<T, 'banned_until' | 'muted_until' | 'two_factor'> & {
  banned_until?: string | null;
  muted_until?: string | null;
  two_factor?: boolean;
};

/** Formats times and flags as the API does. */
function readable<T extends Partial<PlayerState>>(state: T): Readable<T> {
  const { banned_until: until, muted_until: muted, two_factor: twoFactor, ...rest } = state;
  return {
    ...rest,
    ...(until !== undefined && { banned_until: timeTextOrNull(until) }),
    ...(muted !== undefined && { muted_until: timeTextOrNull(muted) }),
    ...(twoFactor !== undefined && { two_factor: twoFactor !== 0 }),
  };
}

export interface Ban extends PlayerOrder {
  /** Permanent if undefined. */
  readonly until?: number | undefined;
}

interface BanStores extends PlayerStores {
  readonly enqueue: Enqueue;
}

/** Suspends an account and ends every token. The reason is shown to the player. */
export function ban({ enqueue, ...stores }: BanStores) {
  const change = changePlayer(stores);
  return async (actor: Actor, { until, ...order }: Ban) => {
    if (until !== undefined) await refusePast(stores, until);
    return change(actor, order, {
      action: 'player.ban',
      next: ({ token_version }) => ({
        status: 'banned',
        ban_reason: order.reason ?? null,
        banned_until: until ?? null,
        token_version: token_version + 1,
      }),
      extraWrites: (trx, { id, account }) =>
        enqueue(trx, {
          type: 'player.banned',
          data: {
            player_id: id,
            account,
            reason: order.reason ?? null,
            until: timeTextOrNull(until ?? null),
            by: actor.name,
          },
        }),
    });
  };
}

export function unban({ enqueue, ...stores }: BanStores) {
  const change = changePlayer(stores);
  return (actor: Actor, order: PlayerOrder) =>
    change(actor, order, {
      action: 'player.unban',
      next: () => ({ status: 'active', ban_reason: null, banned_until: null }),
      extraWrites: (trx, { id, account }) =>
        enqueue(trx, {
          type: 'player.unbanned',
          data: { player_id: id, account, reason: order.reason ?? null, by: actor.name },
        }),
    });
}

async function refusePast({ players }: PlayerStores, until: number): Promise<void> {
  if (until <= (await players.now())) throw refuseInput('until', 'past');
}

/** Mutes a player in the chats of all zones until a time. Game servers read it from `/api/check`. */
export function mute(stores: PlayerStores) {
  const change = changePlayer(stores);
  return async (actor: Actor, { until, ...order }: PlayerOrder & { readonly until: number }) => {
    await refusePast(stores, until);
    return change(actor, order, {
      action: 'player.mute',
      next: () => ({ muted_until: until, mute_reason: order.reason ?? null }),
    });
  };
}

export function unmute(stores: PlayerStores) {
  const change = changePlayer(stores);
  return (actor: Actor, order: PlayerOrder) =>
    change(actor, order, {
      action: 'player.unmute',
      next: () => ({ muted_until: null, mute_reason: null }),
    });
}

/** Ends every token of an account. */
export function signOut(stores: PlayerStores) {
  const change = changePlayer(stores);
  return (actor: Actor, order: PlayerOrder) =>
    change(actor, order, {
      action: 'player.sign_out',
      next: ({ token_version }) => ({ token_version: token_version + 1 }),
    });
}

/** Lets an account that the throttle has locked log in again. Instances read the unlock from the audit row. */
export function unlock({ players, audit }: PlayerStores) {
  return (actor: Actor, { player, reason }: PlayerOrder): Promise<ChangedPlayer> =>
    audit.transaction(actor, async (trx, append) => {
      const { id } = await requirePlayer(players, trx, player);
      const subject = { kind: 'player', id };
      return { playerId: id, auditId: await append({ action: 'player.unlock', subject, reason }) };
    });
}

/** Changes the e-mail address of an account, which must be unique. Ends every token. */
export function setEmail(stores: PlayerStores) {
  const change = changePlayer(stores);
  return async (
    actor: Actor,
    { email: given, ...order }: PlayerOrder & { email: string },
  ): Promise<ChangedPlayer> => {
    const email = normaliseEmail(given);
    let old = '';
    try {
      const changed = await change(actor, order, {
        action: 'player.set_email',
        next(now) {
          old = now.email;
          return old === email ? {} : { email, email_key: email, token_version: now.token_version + 1 };
        },
      });
      if (changed.auditId && old !== '')
        stores.notifyPlayer?.({ playerId: changed.playerId, notice: { kind: 'email', email }, to: old });
      return changed;
    } catch (error) {
      throw error instanceof EmailTaken ? refuseField('email_taken', 'email') : error;
    }
  };
}

/** Adds a note about a player for other operators. */
export function addNote({ players, audit }: PlayerStores, pages: Pick<PlayerPageStore, 'addNote'>) {
  return (actor: Actor, { player, text }: { player: PlayerRef; text: string }) =>
    audit.transaction(actor, async (trx, append): Promise<{ id: number; auditId: string }> => {
      const { id: playerId } = await requirePlayer(players, trx, player);
      const id = await pages.addNote(trx, { playerId, text, by: actor.name });
      const subject = { kind: 'player', id: playerId };
      return { id, auditId: await append({ action: 'player.note', subject, after: { text } }) };
    });
}
