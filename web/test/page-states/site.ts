import { darkBrand, lightBrand, listedNews } from '../brands.ts';
import { announcements } from '../fixtures.ts';
import { badGateway, type PageState } from './page-state.ts';

const newsList = { body: { news: listedNews, next: 'more' } };

/** The pages with the looks of two operators. */
const branded = ([name, config]: readonly [string, object]): PageState[] => {
  const answers = { 'GET /api/config': { body: config }, 'GET /api/news': newsList };
  return [
    { name: `${name}-login`, wide: true, path: '/login', answers, shows: '.board li:nth-child(3)' },
    { name: `${name}-register`, path: '/login?mode=register', answers, shows: '.board' },
    { name: `${name}-home`, wide: true, path: '/', signedIn: true, answers, shows: '.zone.on' },
    { name: `${name}-withdraw`, path: '/withdraw', signedIn: true, answers, shows: '.history li, li.done' },
    { name: `${name}-news`, wide: true, path: '/news', answers, shows: '.news li:nth-child(3)' },
    { name: `${name}-article`, wide: true, path: '/news/3', answers, shows: 'article blockquote' },
    { name: `${name}-not-found`, path: '/no/such/street', answers, shows: 'main h1' },
  ];
};

export const siteStates: PageState[] = [
  ...Object.entries({ light: lightBrand, dark: darkBrand }).flatMap(branded),
  {
    name: 'light-login-announcements',
    wide: true,
    path: '/login',
    answers: {
      'GET /api/config': { body: lightBrand },
      'GET /api/news': newsList,
      'GET /api/announcement/list': { body: { announcements } },
    },
    shows: '.announcement.warning',
  },
  { name: 'news-empty', wide: true, path: '/news', shows: '.empty' },
  {
    name: 'news-down',
    path: '/news',
    answers: { 'GET /api/news': badGateway },
    shows: '.trouble',
    failing: true,
  },
  { name: 'article-gone', path: '/news/99', shows: '.empty', failing: true },
];
