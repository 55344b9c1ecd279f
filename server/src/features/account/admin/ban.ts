import type { Actor } from '../../audit/entry.ts';
import { changePlayer, type OnAccount, type PlayerAdminParts } from './change-player.ts';

export interface Ban extends OnAccount {
  /** For good, where it is left out. */
  readonly until?: number | undefined;
}

/** Suspends an account; the reason is shown to the player. Ends every token at once. */
export function ban(parts: PlayerAdminParts) {
  const change = changePlayer(parts);
  return (actor: Actor, order: Ban): Promise<boolean> =>
    change(actor, 'player.ban', order, ({ token_version }) => ({
      status: 'banned',
      ban_reason: order.reason ?? null,
      banned_until: order.until ?? null,
      token_version: token_version + 1,
    }));
}

export function unban(parts: PlayerAdminParts) {
  const change = changePlayer(parts);
  return (actor: Actor, order: OnAccount): Promise<boolean> =>
    change(actor, 'player.unban', order, () => ({ status: 'active', ban_reason: null, banned_until: null }));
}
