import { Refusal } from '../../../refusal.ts';
import type { Actor } from '../../audit/entry.ts';
import { type ChangedPlayer, changePlayer, type OnPlayer, type PlayerAdminParts } from './change-player.ts';

export interface Ban extends OnPlayer {
  /** Permanent if undefined. */
  readonly until?: number | undefined;
}

/** Suspends an account and ends every token. The reason is shown to the player. */
export function ban(parts: PlayerAdminParts) {
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
    });
  };
}

export function unban(parts: PlayerAdminParts) {
  const change = changePlayer(parts);
  return (actor: Actor, on: OnPlayer) =>
    change(actor, on, {
      action: 'player.unban',
      next: () => ({ status: 'active', ban_reason: null, banned_until: null }),
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
