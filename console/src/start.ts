import '@gatehouse/web/ui/base.css';
import './ui/console.css';
import { createApp } from 'vue';
import App from './App.vue';
import { connectApi } from './api/client.ts';
import { i18n, showLanguage } from './i18n/index.ts';
import { language } from './i18n/language.ts';
import { createConsoleRouter, leave } from './router/index.ts';
import { session } from './session/session.ts';

const router = createConsoleRouter();

connectApi({
  language: () => language.value,
  onRefused(code) {
    if (code === 'invalid_token') session.ended();
    else if (code === 'totp_required') session.totpRequired();
    else return;
    leave(router);
  },
});

await showLanguage(language.value);
createApp(App).use(i18n).use(router).mount('#app');
