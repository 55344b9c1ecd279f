import './ui/base.css';
import { createApp } from 'vue';
import App from './App.vue';
import { promoter } from './auth/promoter.ts';
import { i18n } from './i18n/index.ts';
import { makeRouter } from './router/index.ts';

promoter.noticeIn(location.search);

createApp(App).use(i18n).use(makeRouter()).mount('#app');
