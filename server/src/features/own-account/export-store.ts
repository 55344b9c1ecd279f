import type { Db } from '../../db/open.ts';
import { countRows, hasRow } from '../../db/row-count.ts';

const PLAYER = 'player';
const MOST_EVENTS = 10_000;

/** Reads everything stored about a player except secrets, table by table. */
export function exportStore({ kysely }: Db) {
  return {
    player(id: number) {
      return kysely
        .selectFrom('player')
        .select(['id as player_id', 'account', 'email', 'status', 'ban_reason', 'banned_until'])
        .select(['muted_until', 'mute_reason', 'password_temporary'])
        .select(['server_id', 'ip', 'device', 'os', 'browse', 'agent_id', 'created_at', 'last_login_at'])
        .select(['last_login_ip', 'last_server_id', 'login_count', 'legacy_seen_at', 'reset_at'])
        .select(['deletion_at', 'name_chosen_at', 'origin', 'withdrawal_told_at'])
        .where('id', '=', id)
        .executeTakeFirst();
    },

    async twoFactor(id: number) {
      const row = await kysely
        .selectFrom('two_factor')
        .select(['created_at', 'confirmed_at'])
        .where('owner_kind', '=', PLAYER)
        .where('owner_id', '=', id)
        .executeTakeFirst();
      const recovery_codes = await kysely
        .selectFrom('recovery_code')
        .where('owner_kind', '=', PLAYER)
        .where('owner_id', '=', id)
        .$call(countRows);
      return row && { ...row, recovery_codes };
    },

    madeByForum: (id: number): Promise<boolean> =>
      kysely.selectFrom('forum_account').select('player_id').where('player_id', '=', id).$call(hasRow),

    bindings: (id: number) =>
      kysely
        .selectFrom('player_connect_threeparty')
        .select(['provider', 'connect_id', 'created_at'])
        .where('player_id', '=', id)
        .orderBy('id')
        .execute(),

    /** What the player did to the account. */
    events: (id: number) =>
      kysely
        .selectFrom('player_event')
        .select(['at', 'kind', 'detail', 'ip', 'agent'])
        .where('player_id', '=', id)
        .orderBy('at')
        .limit(MOST_EVENTS)
        .execute(),

    forumLogins: (id: number) =>
      kysely
        .selectFrom('forum_ticket')
        .innerJoin('player_connect_threeparty as binding', (join) =>
          join
            .onRef('binding.provider', '=', 'forum_ticket.provider')
            .onRef('binding.connect_id', '=', 'forum_ticket.connect_id'),
        )
        .select(['forum_ticket.provider', 'profile_name', 'forum_ticket.created_at', 'used_at'])
        .where('binding.player_id', '=', id)
        .execute(),

    zones: (id: number) =>
      kysely
        .selectFrom('player_zone')
        .select('server_id')
        .where('player_id', '=', id)
        .orderBy('server_id')
        .execute(),

    /** Returns logins that wait, or recently waited, for a code. */
    unfinishedLogins: (id: number) =>
      kysely
        .selectFrom('login_challenge')
        .select(['kind', 'provider', 'connect_id', 'attempts', 'created_at', 'expires_at', 'used_at'])
        .where('player_id', '=', id)
        .execute(),

    entryTickets: (id: number) =>
      kysely
        .selectFrom('entry_ticket')
        .select(['server_id', 'created_at', 'expires_at', 'used_at', 'used_by'])
        .where('player_id', '=', id)
        .execute(),

    /** Leaves out the authors, who are other people. */
    notes: (id: number) =>
      kysely
        .selectFrom('player_note')
        .select(['at', 'text'])
        .where('player_id', '=', id)
        .orderBy('id')
        .execute(),

    /** Returns the events about the player that were sent to webhooks. Their content is in the other lists. */
    webhookEvents: (id: number) =>
      kysely
        .selectFrom('webhook_delivery')
        .select(['type', 'state', 'created_at', 'finished_at'])
        .where('player_id', '=', id)
        .orderBy('id')
        .limit(MOST_EVENTS)
        .execute(),

    codes: (email: string) =>
      kysely
        .selectFrom('verify')
        .select(['purpose', 'created_at', 'expires_at', 'attempts', 'used_at'])
        .where('email', '=', email)
        .orderBy('id')
        .execute(),

    wrongCodes: (email: string) =>
      kysely.selectFrom('wrong_code').select(['day', 'n']).where('email', '=', email).execute(),

    withdrawalDays: (id: number) =>
      kysely
        .selectFrom('withdraw_day')
        .select(['day', 'amount', 'refused'])
        .where('player_id', '=', id)
        .orderBy('day')
        .execute(),

    /** Returns what operators changed of the account, without their names. */
    operatorChanges: (id: number) =>
      kysely
        .selectFrom('audit')
        .select(['at', 'action', 'reason', 'before', 'after'])
        .where('subject_kind', '=', PLAYER)
        .where('subject_id', '=', String(id))
        .orderBy('at')
        .execute(),
  };
}

export type ExportStore = ReturnType<typeof exportStore>;
