import type { AuditRecord, PlayerPage } from '@gatehouse/contract/admin';
import type { ConsoleIconName } from '../ui/ConsoleIcon.vue';
import type { Tone } from '../ui/StatusTag.vue';

type Withdrawal = PlayerPage['withdrawals'][number];

/** One event of any kind. */
export type TimelineEntry = {
  readonly at: string;
  readonly key: string;
  readonly icon: ConsoleIconName;
  readonly tone: Tone;
} & (
  | { readonly kind: 'login'; readonly login: PlayerPage['logins'][number] }
  | { readonly kind: 'event'; readonly event: PlayerPage['events'][number] }
  | { readonly kind: 'withdrawal'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'note'; readonly note: PlayerPage['notes'][number] }
  | { readonly kind: 'audit'; readonly audit: AuditRecord }
);

export type TimelineKind = TimelineEntry['kind'];

/** Merges logins, refusals, entries, own changes, withdrawals, notes and operators' actions into one list, newest first. */
export function timelineOf(player: PlayerPage, audit: readonly AuditRecord[]): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...player.logins.map((login, index) => ({
      kind: 'login' as const,
      key: `l${index}`,
      at: login.at,
      icon:
        login.kind === 'enter'
          ? ('zones' as const)
          : login.kind === 'refused'
            ? ('lock' as const)
            : ('players' as const),
      tone: login.kind === 'refused' ? ('bad' as const) : ('quiet' as const),
      login,
    })),
    ...player.events.map((event, index) => ({
      kind: 'event' as const,
      key: `e${index}`,
      at: event.at,
      icon: 'lock' as const,
      // Such events help to decide whether an account was taken over.
      tone: 'action' as const,
      event,
    })),
    ...player.withdrawals.map((withdrawal) => ({
      kind: 'withdrawal' as const,
      key: `w${withdrawal.id}`,
      at: withdrawal.created_at,
      icon: 'withdrawals' as const,
      tone: withdrawal.state === 'unknown' ? ('action' as const) : ('info' as const),
      withdrawal,
    })),
    ...player.notes.map((note) => ({
      kind: 'note' as const,
      key: `n${note.id}`,
      at: note.at,
      icon: 'note' as const,
      tone: 'info' as const,
      note,
    })),
    // Notes are already listed themselves.
    ...audit
      .filter(({ action }) => action !== 'player.note')
      .map((record) => ({
        kind: 'audit' as const,
        key: `a${record.id}`,
        at: record.at,
        icon: 'audit' as const,
        tone: 'info' as const,
        audit: record,
      })),
  ];
  return entries.sort((a, b) => b.at.localeCompare(a.at));
}
