import { isIP } from 'node:net';
import { canonicalAddress } from '../../../security/addresses.ts';
import { normaliseEmail } from '../../codes/send-code.ts';
import type { FoundPlayer, PlayerFilter, PlayerSearchStore } from './search-store.ts';

export interface PlayerQuery extends PlayerFilter {
  readonly q?: string | undefined;
  /** Whether `q` may be an e-mail or IP address. */
  readonly personal: boolean;
}

/** The cursor of the list: the last name or, if that is empty, the last id. */
export type PlayerPosition = readonly [accountKey: string, id: number];

export interface PlayerHit {
  readonly player: FoundPlayer;
  readonly position: PlayerPosition;
}

interface PageOfPlayers {
  readonly limit: number;
  readonly after: PlayerPosition | undefined;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const PLAYER_ID = /^[1-9]\d{0,14}$/;
const MAX_CONNECTED = 50;
/** How far back a former e-mail address is searched: an event is found by its time. */
const FORMER_EMAIL_MS = 30 * 86_400_000;
const MAX_FORMER = 20;

const sortedById = (player: FoundPlayer): PlayerHit => ({ player, position: ['', player.id] });
const sortedByName = (player: FoundPlayer): PlayerHit => ({
  player,
  position: [player.accountKey, player.id],
});

/** Finds players by name, id, e-mail or IP address, withdrawal or linked account. The form of `q` decides which. */
export function findPlayers(players: PlayerSearchStore) {
  return async ({ q, personal, ...filter }: PlayerQuery, page: PageOfPlayers): Promise<PlayerHit[]> => {
    const text = q?.trim() ?? '';
    const byId = { limit: page.limit, before: page.after?.[1] };
    if (text === '') return (await players.newest(filter, byId)).map(sortedById);
    // Operators who see masked addresses must not discover them by searching.
    if (!personal) return byNameOrId(text, filter, page);
    const hits = page.after?.[0] ? [] : await byPersonal(text, filter, page);
    // Old accounts and linked accounts may be named like an address.
    return hits.length > 0 ? hits : byNameOrId(text, filter, page);
  };

  async function byPersonal(text: string, filter: PlayerFilter, page: PageOfPlayers): Promise<PlayerHit[]> {
    if (text.includes('@')) return byEmail(normaliseEmail(text), filter, page);
    if (!isIP(text)) return [];
    const byId = { limit: page.limit, before: page.after?.[1] };
    return (await players.at(canonicalAddress(text) ?? text, filter, byId)).map(sortedById);
  }

  /** Includes players who had this address lately: a thief may have changed it. */
  async function byEmail(email: string, filter: PlayerFilter, page: PageOfPlayers): Promise<PlayerHit[]> {
    const before = page.after?.[1] ?? Number.POSITIVE_INFINITY;
    const current = await players.withEmail(email, filter, { limit: page.limit, before: page.after?.[1] });
    const ids = await players.idsFormerlyWith(email, Date.now() - FORMER_EMAIL_MS, MAX_FORMER);
    const former = await players.byIds(
      ids.filter((id) => id < before && current.every((player) => player.id !== id)),
      filter,
    );
    const found = [...current, ...former].sort((a, b) => b.id - a.id);
    return found.slice(0, page.limit).map(sortedById);
  }

  /** Returns exact matches before names with this prefix. */
  async function byNameOrId(
    text: string,
    filter: PlayerFilter,
    { limit, after }: PageOfPlayers,
  ): Promise<PlayerHit[]> {
    const ids = await exactly(text, filter);
    const stillExact = after === undefined || after[0] === '';
    const exact = stillExact ? await players.byIds(ids, filter) : [];
    // Reads as many extra rows as are dropped below, because a short page would look like the last one.
    const most = limit + ids.length;
    const named = await players.beginningWith(text, filter, { limit: most, after: after?.[0] || undefined });
    return [
      ...exact.filter(({ id }) => after === undefined || id < after[1]).map(sortedById),
      ...named.filter(({ id }) => !ids.includes(id)).map(sortedByName),
    ].slice(0, limit);
  }

  async function exactly(text: string, { zones }: PlayerFilter): Promise<number[]> {
    // Ours are UUIDs in lower case; rows that operators inserted by SQL may have any text.
    const owner =
      (await players.ownerOfWithdrawal(text, zones)) ??
      (UUID.test(text) ? await players.ownerOfWithdrawal(text.toLowerCase(), zones) : undefined);
    return [
      ...(PLAYER_ID.test(text) ? [Number(text)] : []),
      ...(owner === undefined ? [] : [owner]),
      ...(await players.idsConnectedAs(text, MAX_CONNECTED)),
    ];
  }
}
