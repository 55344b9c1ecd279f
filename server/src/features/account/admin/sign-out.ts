import type { Actor } from '../../audit/entry.ts';
import { changePlayer, type OnPlayer, type PlayerAdminParts } from './change-player.ts';

/** Ends every token of an account. */
export function signOut(parts: PlayerAdminParts) {
  const change = changePlayer(parts);
  return (actor: Actor, on: OnPlayer) =>
    change(actor, on, {
      action: 'player.sign_out',
      next: ({ token_version }) => ({ token_version: token_version + 1 }),
    });
}
