import type { Actor } from '../../audit/entry.ts';
import { changePlayer, type OnAccount, type PlayerAdminParts } from './change-player.ts';

/** Ends every token of an account. */
export function signOut(parts: PlayerAdminParts) {
  const change = changePlayer(parts);
  return (actor: Actor, order: OnAccount): Promise<boolean> =>
    change(actor, 'player.sign_out', order, ({ token_version }) => ({ token_version: token_version + 1 }));
}
