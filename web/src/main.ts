import { routes } from '@gatehouse/contract';
import { createApp, h } from 'vue';
import { createI18n } from 'vue-i18n/dist/vue-i18n.runtime.mjs';
import { createRouter, createWebHistory, RouterView } from 'vue-router';
import App from './App.vue';

console.log(routes.login.body);
const i18n = createI18n({
  legacy: false,
  locale: 'zh-CN',
  messages: { 'zh-CN': { a: '游戏', b: ({ named }: { named: (k: string) => unknown }) => `x${named('n')}` } },
});
const router = createRouter({
  history: createWebHistory(),
  routes: [{ path: '/:p(.*)*', component: () => h(RouterView) }],
});
createApp(App).use(i18n).use(router).mount('#app');
