import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatsDeps, Zones } from './dashboard.ts';
import type { CohortPlayer, Span } from './player-store.ts';
import { MAX_PLAYERS } from './withdrawal-store.ts';

export type FiguresOfPromoter = ReturnType<typeof promoterFigures>;

/**
 * Computes figures of the players a promoter brought within a span: how many registered, entered a game and came back on a later
 * day, from how many addresses, and what they have withdrawn. Reads in pages, so that a large promoter does not stall the service.
 */
export function promoterFigures({ players, withdrawals, time }: StatsDeps) {
  async function returnedOf(page: readonly CohortPlayer[]): Promise<number> {
    const cameLater = (at: number | null | undefined, { createdAt }: CohortPlayer) =>
      at !== null && at !== undefined && time.at(at).day > time.at(createdAt).day;
    const others = page.filter((player) => !cameLater(player.lastLoginAt, player));
    if (others.length === 0) return page.length;
    const lastSeen = await players.lastSeen(others.map(({ id }) => id));
    const missing = others.filter((player) => !cameLater(lastSeen.get(player.id), player));
    return page.length - missing.length;
  }

  return async (agentId: number, span: Span, zones: Zones) => {
    const addresses = new Set<string>();
    let [registrations, entered, returned, withdrawn] = [0, 0, 0, 0];
    let after: CohortPlayer | undefined;
    do {
      const page = await players.cohort(agentId, span, { after, limit: MAX_PLAYERS, zones });
      after = page.length === MAX_PLAYERS ? page.at(-1) : undefined;
      if (page.length === 0) break;
      for (const { ip } of page) if (ip !== '') addresses.add(ip);
      registrations += page.length;
      entered += page.filter(({ lastServerId }) => lastServerId !== null).length;
      returned += await returnedOf(page);
      withdrawn += await withdrawals.doneBy(
        page.map(({ id }) => id),
        zones,
      );
      await nextTurn();
    } while (after !== undefined);
    return { registrations, entered, returned, addresses: addresses.size, withdrawn };
  };
}
