import type { Permission } from '@gatehouse/contract/admin';
import type { ConsoleIconName } from '../ui/ConsoleIcon.vue';

export interface NavigationEntry {
  readonly to: string;
  readonly icon: ConsoleIconName;
  readonly title: string;
  readonly permission: Permission;
  /** Shown in the phone's bottom bar; the others are behind "more". */
  readonly first?: true;
}

/** Ordered by frequency of use, in three groups. */
export const navigation: readonly (readonly NavigationEntry[])[] = [
  [
    { to: '/', icon: 'overview', title: 'nav.overview', permission: 'read', first: true },
    { to: '/zones', icon: 'zones', title: 'nav.zones', permission: 'read', first: true },
    { to: '/players', icon: 'players', title: 'nav.players', permission: 'read', first: true },
    { to: '/withdrawals', icon: 'withdrawals', title: 'nav.withdrawals', permission: 'read', first: true },
  ],
  [
    { to: '/registrations', icon: 'registrations', title: 'nav.registrations', permission: 'read' },
    { to: '/promoters', icon: 'promoters', title: 'nav.promoters', permission: 'read' },
    { to: '/chat', icon: 'chat', title: 'nav.chat', permission: 'chat.read' },
    { to: '/announcements', icon: 'announcements', title: 'nav.announcements', permission: 'read' },
    { to: '/site', icon: 'site', title: 'nav.site', permission: 'read' },
    { to: '/controls', icon: 'controls', title: 'nav.controls', permission: 'read' },
  ],
  [
    { to: '/audit', icon: 'audit', title: 'nav.audit', permission: 'audit.read' },
    { to: '/operators', icon: 'operators', title: 'nav.operators', permission: 'operators.write' },
    { to: '/webhooks', icon: 'webhooks', title: 'nav.webhooks', permission: 'webhooks.write' },
    { to: '/takeover', icon: 'takeover', title: 'nav.takeover', permission: 'system.read' },
    { to: '/system', icon: 'system', title: 'nav.system', permission: 'system.read' },
  ],
];

/** Reports whether a page belongs to an entry: the overview only itself, the others everything below them. */
export const isWithin = (path: string, to: string) =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
