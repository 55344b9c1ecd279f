import './ui/base.css';
import { createApp } from 'vue';
import App from './App.vue';
import { connectApi } from './api/client.ts';
import { promoter } from './auth/promoter.ts';
import { session } from './auth/session.ts';
import { i18n, loadTexts } from './i18n/index.ts';
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

// Not awaited at the top of the module: the bundler would split what others share with it into many small files.
void loadTexts(language.value).then(() => createApp(App).use(i18n).use(router).mount('#app'));
