import type { Enqueue } from '../../../db/outbox.ts';
import { Refusal } from '../../../refusal.ts';
import { timeTextOrNull } from '../../../runtime/time.ts';
import type { Actor } from '../../audit/entry.ts';
import { type ChangedPlayer, changePlayer, type OnPlayer, type PlayerAdminParts } from './change-player.ts';

export interface Ban extends OnPlayer {
  /** Permanent if undefined. */
  readonly until?: number | undefined;
}

interface BanParts extends PlayerAdminParts {
  readonly enqueue: Enqueue;
}

/** Suspends an account and ends every token. The reason is shown to the player. */
export function ban({ enqueue, ...parts }: BanParts) {
  const change = changePlayer(parts);
  return async (actor: Actor, { until, ...on }: Ban) => {
    if (until !== undefined && until <= Date.now())
      throw new Refusal('invalid_request', { errors: [{ field: 'until', message: 'past' }] });
    return change(actor, on, {
      action: 'player.ban',
      next: ({ token_version }) => ({
        status: 'banned',
        ban_reason: on.reason ?? null,
        banned_until: until ?? null,
        token_version: token_version + 1,
      }),
      alongside: (trx, { id, account }) =>
        enqueue(trx, {
          type: 'player.banned',
          data: {
            player_id: id,
            account,
            reason: on.reason ?? null,
            until: timeTextOrNull(until ?? null),
            by: actor.name,
          },
        }),
    });
  };
}

export function unban({ enqueue, ...parts }: BanParts) {
  const change = changePlayer(parts);
  return (actor: Actor, on: OnPlayer) =>
    change(actor, on, {
      action: 'player.unban',
      next: () => ({ status: 'active', ban_reason: null, banned_until: null }),
      alongside: (trx, { id, account }) =>
        enqueue(trx, {
          type: 'player.unbanned',
          data: { player_id: id, account, reason: on.reason ?? null, by: actor.name },
        }),
    });
}

/** Lets an account that the throttle has locked log in again. Instances read the unlock from the audit row. */
export function unlock({ players, audit }: PlayerAdminParts) {
  return (actor: Actor, { player, reason }: OnPlayer): Promise<ChangedPlayer | undefined> =>
    audit.transaction(async (trx, append) => {
      const state = await players.stateOf(trx, player);
      if (!state) return undefined;
      const subject = { kind: 'player', id: state.id };
      const auditId = await append({ actor, action: 'player.unlock', subject, reason });
      return { playerId: state.id, auditId };
    });
}
