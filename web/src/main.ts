import './styles/base.css';
import { createApp } from 'vue';
import App from './App.vue';
import { i18n } from './i18n.ts';
import { promoter } from './promoter.ts';
import { makeRouter } from './router.ts';

promoter.noticeIn(location.search);

createApp(App).use(i18n).use(makeRouter()).mount('#app');
