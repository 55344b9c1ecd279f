import type { Permission } from '@gatehouse/contract/admin';

/** Every page within the layout, each a chunk of its own. */
export const screens: readonly {
  readonly path: string;
  readonly title: string;
  readonly permission?: Permission;
  readonly component: () => Promise<unknown>;
}[] = [
  {
    path: '',
    title: 'nav.overview',
    permission: 'read',
    component: () => import('../overview/OverviewView.vue'),
  },
  { path: 'account', title: 'account.title', component: () => import('../session/AccountView.vue') },
  { path: ':path(.*)*', title: 'notFound.title', component: () => import('../layout/NotFoundView.vue') },
];
