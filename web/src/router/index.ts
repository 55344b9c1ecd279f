import { nextTick, ref } from 'vue';
import {
  createRouter,
  createWebHistory,
  type RouteLocation,
  type Router,
  type RouterHistory,
} from 'vue-router';
import { loginMode } from '../auth/login-mode.ts';
import { session } from '../auth/session.ts';
import { loadAccountTexts } from '../i18n/index.ts';
import LoginView from '../views/LoginView.vue';

declare module 'vue-router' {
  interface RouteMeta {
    /** Only for logged-in players. Visitors are sent to the login page and back. */
    guarded?: true;
    /** Text key of the browser tab's title; null if the page sets the title. */
    title: string | null | ((to: RouteLocation) => string);
  }
}

const PASSWORD_PAGE = '/account/password';

/** Target of a navigation whose code could not be loaded: offline, or replaced by a newer release. */
export const brokenLoad = ref<string | null>(null);

export function createAppRouter(history: RouterHistory = createWebHistory()): Router {
  const router = createRouter({
    history,
    routes: [
      {
        path: '/',
        meta: { guarded: true, title: 'home.title' },
        component: () => import('../views/HomeView.vue'),
      },
      { path: '/play', redirect: '/' },
      {
        path: '/login',
        meta: { title: ({ query }) => `login.${loginMode(query.mode)}` },
        component: LoginView,
      },
      { path: '/agree', meta: { title: 'agree.title' }, component: () => import('../views/AgreeView.vue') },
      { path: '/news', meta: { title: 'news.title' }, component: () => import('../views/NewsView.vue') },
      { path: '/news/:id', meta: { title: null }, component: () => import('../views/ArticleView.vue') },
      {
        path: '/withdraw',
        meta: { guarded: true, title: 'withdraw.title' },
        component: () => import('../views/WithdrawView.vue'),
      },
      {
        path: '/account/:page(password|email|name|two-factor|bindings|delete)?',
        meta: { guarded: true, title: 'account.title' },
        component: async () => {
          const [view] = await Promise.all([import('../views/AccountView.vue'), loadAccountTexts()]);
          return view;
        },
      },
      {
        path: '/:path(.*)*',
        meta: { title: 'notFound.title' },
        component: () => import('../views/NotFoundView.vue'),
      },
    ],
    // The first page is already at its top; scrolling would force a layout in the same task as the rendering.
    scrollBehavior: (_to, from, saved) => saved ?? (from.matched.length > 0 && { top: 0 }),
  });

  router.beforeEach((to, from) => {
    brokenLoad.value = null;
    if (to.meta.guarded && !session.signedIn.value) return loginRoute(to);
    if (to.meta.guarded && session.passwordTemporary.value && to.path !== PASSWORD_PAGE)
      return { path: PASSWORD_PAGE, query: { next: to.fullPath } };
    if (to.path === '/login' && session.signedIn.value) return routeOfSignedIn(to, from);
    return true;
  });

  // Focus the heading, so that a screen reader announces the new page.
  router.afterEach((to, from) => {
    if (from.matched.length > 0 && to.path !== from.path)
      void nextTick(() => document.querySelector('h1')?.focus());
  });

  router.onError((_error, to) => {
    brokenLoad.value = to.fullPath;
  });

  return router;
}

/** A logged-in player needs the login page only to link a forum account; the page then removes the ticket from the address. */
function routeOfSignedIn({ hash, query }: RouteLocation, from: RouteLocation) {
  if (hash.includes('ticket=') || from.path === '/login') return true;
  return query.error ? { path: '/account/bindings', query: { error: query.error } } : '/';
}

/** Sends a visitor from a guarded page to the login page and back. */
export function requireLogin(router: Router) {
  const here = router.currentRoute.value;
  if (here.meta.guarded) void router.replace(loginRoute(here));
}

/** The zone list is the default after login; only other pages are remembered. */
function loginRoute({ path, hash, fullPath }: RouteLocation) {
  return { path: '/login', query: path === '/' && !hash ? {} : { return: fullPath } };
}
