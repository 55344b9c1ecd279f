import { expect, test } from 'vitest';
import { createMemoryHistory, createRouter } from 'vue-router';
import { returnPath } from './return-path.ts';

const component = { render: () => null };
const router = createRouter({
  history: createMemoryHistory(),
  routes: [
    { path: '/', meta: { guarded: true, title: '' }, component },
    { path: '/withdraw', meta: { guarded: true, title: '' }, component },
    { path: '/login', meta: { title: '' }, component },
    { path: '/:path(.*)*', meta: { title: '' }, component },
  ],
});

test.each([
  ['/withdraw', '/withdraw'],
  ['/#zone-1', '/#zone-1'],
  ['/login', '/'],
  ['/nowhere', '/'],
  ['//evil.example', '/'],
  ['/\\\\evil.example', '/'],
  ['https://evil.example', '/'],
  [undefined, '/'],
  [['/withdraw'], '/'],
])('when the return path is %j, then the login leads to %j', (wanted, path) => {
  expect(returnPath(router, wanted)).toBe(path);
});
