import type { Actor } from '../../audit/entry.ts';
import type { PlayerAdminParts } from './change-player.ts';
import type { PlayerPageStore } from './page-store.ts';
import type { PlayerRef } from './store.ts';

export interface NoteParts extends PlayerAdminParts {
  readonly pages: Pick<PlayerPageStore, 'addNote'>;
}

/** Adds a note about a player for other operators. Returns undefined if there is no such player. */
export function addNote({ players, pages, audit }: NoteParts) {
  return (
    actor: Actor,
    { player, text }: { player: PlayerRef; text: string },
  ): Promise<{ id: number; auditId: string } | undefined> =>
    audit.transaction(async (trx, append) => {
      const playerId = (await players.stateOf(trx, player))?.id;
      if (playerId === undefined) return undefined;
      const id = await pages.addNote(trx, { playerId, text, by: actor.name });
      const subject = { kind: 'player', id: playerId };
      return { id, auditId: await append({ actor, action: 'player.note', subject, after: { text } }) };
    });
}
