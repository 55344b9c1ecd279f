import type { Permission } from '@gatehouse/contract/admin';
import { nextTick, ref } from 'vue';
import { createRouter, createWebHistory, type RouteLocation, type Router } from 'vue-router';
import AppLayout from '../layout/AppLayout.vue';
import LoginView from '../session/LoginView.vue';
import { session } from '../session/session.ts';
import { screens } from './screens.ts';

declare module 'vue-router' {
  interface RouteMeta {
    title: string;
    /** For logged-in operators, within the layout. */
    guarded?: true;
    permission?: Permission;
  }
}

/** A part of the console could not be loaded: offline, or replaced by a newer release. */
export const brokenLoad = ref<'offline' | 'stale' | null>(null);

export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory('/console/'),
    routes: [
      { path: '/login', meta: { title: 'login.title' }, component: LoginView },
      {
        path: '/invite',
        meta: { title: 'invite.title' },
        component: () => import('../session/InviteView.vue'),
      },
      {
        path: '/two-factor',
        meta: { title: 'totp.title' },
        component: () => import('../session/TwoFactorView.vue'),
      },
      {
        path: '/',
        meta: { title: '' },
        component: AppLayout,
        children: screens.map(({ path, permission, title, component }) => ({
          path,
          component,
          meta: { title, guarded: true as const, ...(permission && { permission }) },
        })),
      },
    ],
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
  });

  router.beforeEach(async (to) => {
    brokenLoad.value = null;
    if (to.path === '/invite') return true;
    await session.known();
    if (!session.signedIn.value) return to.path === '/login' ? true : loginRoute(to);
    if (session.needsTotp.value && to.path !== '/two-factor')
      return { path: '/two-factor', query: { return: to.fullPath } };
    return to.path === '/login' || (to.path === '/two-factor' && !session.needsTotp.value) ? '/' : true;
  });
  // Focus the heading, so that a screen reader announces the new page.
  router.afterEach((to, from) => {
    if (from.matched.length > 0 && to.path !== from.path)
      void nextTick(() => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true }));
  });
  router.onError((error: Error) => {
    brokenLoad.value = error.name === 'ApiError' ? 'offline' : 'stale';
  });
  return router;
}

/** Sends the operator to the login or two-factor page, and back later. */
export function leave(router: Router) {
  const here = router.currentRoute.value;
  if (!here.meta.guarded) return;
  if (!session.signedIn.value) void router.replace(loginRoute(here));
  else if (session.needsTotp.value)
    void router.replace({ path: '/two-factor', query: { return: here.fullPath } });
}

const loginRoute = ({ fullPath }: RouteLocation) => ({
  path: '/login',
  query: fullPath === '/' ? {} : { return: fullPath },
});
