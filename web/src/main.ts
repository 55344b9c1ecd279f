import './ui/base.css';
import { createApp } from 'vue';
import App from './App.vue';
import { connectApi } from './api/client.ts';
import { promoter } from './auth/promoter.ts';
import { returnPath } from './auth/return-path.ts';
import { session } from './auth/session.ts';
import { shareSession } from './auth/session-tabs.ts';
import { loadTexts } from './i18n/index.ts';
import { language } from './i18n/language.ts';
import { createAppRouter, requireLogin } from './router/index.ts';

const router = createAppRouter();

connectApi({
  token: () => session.token.value,
  language: () => language.value,
  onSessionEnd(failure) {
    session.end(failure);
    requireLogin(router);
  },
});
promoter.rememberFrom(location.search);

const shared = shareSession({
  onJoin() {
    const { path, query } = router.currentRoute.value;
    if (path === '/login') void router.replace(returnPath(router, query.return));
  },
  onEnd: () => requireLogin(router),
});

// No top-level await: the bundler would split shared code into many small files.
void Promise.all([loadTexts(language.value), shared]).then(() => createApp(App).use(router).mount('#app'));
