import { expect, test } from 'vitest';
import { createMemoryHistory, createRouter } from 'vue-router';
import { ownAddress } from './own-address.ts';

const component = { render: () => null };
const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/:path(.*)*', component }] });
const origin = 'https://play.example.com';

test.each(['//evil.example/login', '/\\evil.example', '/withdraw?a=1#b'])(
  'when the page at %s is loaded again, then the player stays here',
  (path) => {
    const { fullPath } = router.resolve(path);
    expect(new URL(ownAddress(fullPath, { origin }), origin).origin).toBe(origin);
  },
);
