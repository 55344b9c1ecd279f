import { Refusal } from '../../../refusal.ts';
import type { Actor } from '../../audit/entry.ts';
import { changePlayer, type OnPlayer, type PlayerAdminParts } from './change-player.ts';

export interface Ban extends OnPlayer {
  /** For good, where it is left out. */
  readonly until?: number | undefined;
}

/** Suspends an account; the reason is shown to the player. Ends every token at once. */
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
