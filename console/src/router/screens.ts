import type { Permission } from '@gatehouse/contract/admin';

/** A page within the layout, in its own chunk. */
interface Screen {
  readonly path: string;
  readonly title: string;
  readonly permission?: Permission;
  readonly component: () => Promise<unknown>;
  /** Requests it sends immediately if its URL has no filters. */
  readonly first?: readonly string[];
}

const read = 'read' as const;
/** Used for zone names on every screen. */
const ZONES = '/api/admin/zones?limit=200';

export const screens: readonly Screen[] = [
  {
    path: '',
    title: 'nav.overview',
    permission: read,
    component: () => import('../overview/OverviewView.vue'),
    first: ['/api/admin/dashboard?days=30', ZONES],
  },
  {
    path: 'zones',
    title: 'nav.zones',
    permission: read,
    component: () => import('../zones/ZonesView.vue'),
    first: [ZONES],
  },
  {
    path: 'zones/:id(\\d+)',
    title: 'nav.zones',
    permission: read,
    component: () => import('../zones/ZoneView.vue'),
  },
  {
    path: 'players',
    title: 'nav.players',
    permission: read,
    component: () => import('../players/PlayersView.vue'),
    first: ['/api/admin/players', ZONES],
  },
  {
    path: 'players/:id(\\d+)',
    title: 'nav.players',
    permission: read,
    component: () => import('../players/PlayerView.vue'),
  },
  {
    path: 'withdrawals',
    title: 'nav.withdrawals',
    permission: read,
    component: () => import('../withdrawals/WithdrawalsView.vue'),
    first: ['/api/admin/withdrawals', '/api/admin/withdrawals?state=unknown&limit=50', ZONES],
  },
  {
    path: 'withdrawals/:id',
    title: 'nav.withdrawals',
    permission: read,
    component: () => import('../withdrawals/WithdrawalView.vue'),
  },
  {
    path: 'reconciliation',
    title: 'withdrawals.reconciliation',
    permission: read,
    component: () => import('../withdrawals/ReconciliationView.vue'),
  },
  {
    path: 'registrations',
    title: 'nav.registrations',
    permission: read,
    component: () => import('../registrations/RegistrationsView.vue'),
  },
  {
    path: 'promoters',
    title: 'nav.promoters',
    permission: read,
    component: () => import('../promoters/PromotersView.vue'),
  },
  {
    path: 'promoters/:id(\\d+)',
    title: 'nav.promoters',
    permission: read,
    component: () => import('../promoters/PromoterView.vue'),
  },
  {
    path: 'chat',
    title: 'nav.chat',
    permission: 'chat.read',
    component: () => import('../chat/ChatView.vue'),
  },
  {
    path: 'announcements',
    title: 'nav.announcements',
    permission: read,
    component: () => import('../announcements/AnnouncementsView.vue'),
  },
  {
    path: 'site',
    title: 'nav.site',
    permission: read,
    component: () => import('../site/SiteView.vue'),
    first: ['/api/admin/site'],
  },
  {
    path: 'controls',
    title: 'nav.controls',
    permission: read,
    component: () => import('../controls/ControlsView.vue'),
  },
  {
    path: 'audit',
    title: 'nav.audit',
    permission: 'audit.read',
    component: () => import('../audit/AuditView.vue'),
  },
  {
    path: 'operators',
    title: 'nav.operators',
    permission: 'operators.write',
    component: () => import('../operators/OperatorsView.vue'),
  },
  {
    path: 'webhooks',
    title: 'nav.webhooks',
    permission: 'webhooks.write',
    component: () => import('../webhooks/WebhooksView.vue'),
  },
  {
    path: 'webhooks/:id(\\d+)',
    title: 'nav.webhooks',
    permission: 'webhooks.write',
    component: () => import('../webhooks/WebhookView.vue'),
  },
  {
    path: 'takeover',
    title: 'nav.takeover',
    permission: 'system.read',
    component: () => import('../takeover/TakeoverView.vue'),
    first: ['/api/admin/takeover'],
  },
  {
    path: 'system',
    title: 'nav.system',
    permission: 'system.read',
    component: () => import('../system/SystemView.vue'),
  },
  { path: 'account', title: 'account.title', component: () => import('../session/AccountView.vue') },
  { path: ':path(.*)*', title: 'notFound.title', component: () => import('../layout/NotFoundView.vue') },
];

/** Finds the screen of a path before the router has loaded. */
export const screenOf = (path: string): Screen | undefined =>
  screens.find((screen) => patternOf(screen.path).test(path));

/** Converts `zones/:id(\\d+)` to a regular expression. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/:\w+(?:\((.+?)\))?\*?/g, (_, inner?: string) => inner ?? '[^/]+')}$`);
