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

// Asked for together: on a slow network each would wait a round trip for the one before.
const texts = showLanguage(language.value);
const app = createApp(App).use(i18n).use(router);
const { matched } = router.resolve(location.pathname.slice(import.meta.env.BASE_URL.length - 1) || '/');
for (const { components } of matched) loadEarly(components?.default);
await texts;
app.mount('#app');

/** The screen's script; that it cannot be had is for the router to say. */
function loadEarly(component: unknown) {
  if (typeof component === 'function') Promise.resolve(component()).catch(() => {});
}
