import type { PlayerPage } from '@gatehouse/contract/admin';
import { Refusal } from '../../../refusal.ts';
import { timeText, timeTextOrNull } from '../../../runtime/time.ts';
import { maskAddress, maskEmail } from '../../../security/masking.ts';
import type { LoginsRecorded } from '../../history/login-recorder.ts';
import type { HistoryStore } from '../../history/store.ts';
import type { TwoFactor } from '../../two-factor/two-factor.ts';
import type { PlayerPageStore } from './page-store.ts';
import type { FoundPlayer, PlayerSearchStore } from './search-store.ts';

export interface ShowPlayerDeps {
  readonly players: PlayerSearchStore;
  readonly pages: PlayerPageStore;
  readonly twoFactor: Pick<TwoFactor, 'isOn'>;
  readonly history: Pick<HistoryStore, 'loginsOf' | 'eventsOf' | 'lastEntryOf'>;
  readonly loginsRecorded: LoginsRecorded;
}

/** What an operator may see of a player. */
export interface View {
  readonly personal: boolean;
  readonly zones: readonly number[] | null;
}

const MAX_LISTED = 20;
const MAX_EVENTS = 50;
const MAX_NOTES = 200;
const MAX_ADDRESSES = 5;

/** Hides zones that are not the operator's. */
const zoneSeenBy = ({ zones }: Pick<View, 'zones'>, serverId: number | null) =>
  zones === null || (serverId !== null && zones.includes(serverId)) ? serverId : null;

export function listedPlayer(player: FoundPlayer, view: View) {
  return {
    player_id: player.id,
    account: player.account,
    email: view.personal ? player.email : maskEmail(player.email),
    status: player.isBanned ? ('banned' as const) : ('active' as const),
    created_at: timeTextOrNull(player.createdAt || null),
    last_login_at: timeTextOrNull(player.lastLoginAt),
    last_server_id: zoneSeenBy(view, player.lastServerId),
    agent_id: player.agentId,
  };
}

export function showPlayer({ players, pages, twoFactor, history, loginsRecorded }: ShowPlayerDeps) {
  return async (playerId: number, view: View): Promise<PlayerPage> => {
    await loginsRecorded(playerId);
    const [player] = await players.byIds([playerId], { zones: view.zones });
    const row = await pages.row(playerId);
    if (!player || !row) throw new Refusal('account_not_found');
    const address = (ip: string) => (view.personal ? ip : maskAddress(ip));
    const [bindings, notes, logins, events, lastEntryAt, withdrawals, hasTwoFactor, sameAddress] =
      await Promise.all([
        pages.bindings(playerId),
        pages.notes(playerId, MAX_NOTES),
        history.loginsOf(playerId, MAX_LISTED),
        history.eventsOf(playerId, MAX_EVENTS),
        history.lastEntryOf(playerId),
        pages.withdrawals(playerId, view.zones, MAX_LISTED),
        twoFactor.isOn({ kind: 'player', id: playerId }),
        othersAt(playerId, [row.ip, row.last_login_ip], view.zones),
      ]);
    return {
      ...listedPlayer(player, view),
      ban_reason: row.ban_reason,
      banned_until: timeTextOrNull(row.banned_until),
      server_id: zoneSeenBy(view, row.server_id),
      ip: address(row.ip),
      last_login_ip: row.last_login_ip && address(row.last_login_ip),
      login_count: row.login_count,
      legacy_seen_at: timeTextOrNull(row.legacy_seen_at),
      device: row.device,
      os: row.os,
      browse: row.browse,
      two_factor: hasTwoFactor,
      last_entry_at: timeTextOrNull(lastEntryAt),
      muted_until: row.is_muted ? timeTextOrNull(row.muted_until) : null,
      mute_reason: row.is_muted ? row.mute_reason : null,
      password_temporary: row.password_temporary !== 0,
      deletion_at: timeTextOrNull(row.deletion_at),
      bindings: bindings.map(({ created_at, ...binding }) => ({
        ...binding,
        bound_at: timeText(created_at),
      })),
      notes: notes.map(({ at, ...note }) => ({ ...note, at: timeText(at) })),
      logins: logins.map(({ at, serverId, ip, ...login }) => ({
        ...login,
        at: timeText(at),
        server_id: zoneSeenBy(view, serverId),
        ip: address(ip),
      })),
      events: events.map(({ at, detail, ip, ...event }) => ({
        ...event,
        at: timeText(at),
        detail: detail && event.kind === 'email' && !view.personal ? maskEmail(detail) : detail,
        ip: address(ip),
      })),
      withdrawals: withdrawals.map(({ created_at, role_name, ...each }) => ({
        ...each,
        role_name: role_name ?? '',
        created_at: timeText(created_at),
      })),
      same_address: sameAddress,
    };
  };

  async function othersAt(playerId: number, own: readonly (string | null)[], zones: View['zones']) {
    const known = await pages.addresses(playerId, MAX_ADDRESSES);
    const addresses = [...new Set([...own, ...known])].filter((each): each is string => Boolean(each));
    const page = { limit: MAX_LISTED + 1, before: undefined };
    const found = await Promise.all(addresses.map((each) => players.at(each, { zones }, page)));
    const others = new Map(found.flat().map((player) => [player.id, player]));
    others.delete(playerId);
    const listed = [...others.values()].slice(0, MAX_LISTED).sort((a, b) => b.id - a.id);
    return listed.map(({ id, account, isBanned }) => ({
      player_id: id,
      account,
      status: isBanned ? ('banned' as const) : ('active' as const),
    }));
  }
}
