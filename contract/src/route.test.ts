import { expect, test } from 'vitest';
import { type Route, route } from './route.ts';

const plain = { path: '/api/x', tag: 'site', summary: 'A route', answers: {}, refusals: [] } as const;

test('when a route is declared, then it names its caller, and an operator’s also its permission and audit action', () => {
  const declared: Route[] = [
    route({ ...plain, method: 'GET', auth: 'none' }),
    route({ ...plain, method: 'POST', auth: 'player' }),
    route({ ...plain, method: 'GET', auth: 'operator', permission: 'read' }),
    route({ ...plain, method: 'GET', auth: 'operator', permission: 'read', audit: 'export' }),
    route({ ...plain, method: 'PATCH', auth: 'operator', permission: 'zones.write', audit: 'zone.set' }),
    route({ ...plain, method: 'POST', auth: 'operator', permission: 'zones.write', audit: null }),
    // @ts-expect-error without a caller
    route({ ...plain, method: 'GET' }),
    // @ts-expect-error with an unknown caller
    route({ ...plain, method: 'GET', auth: 'anybody' }),
    // @ts-expect-error an operator's without a permission
    route({ ...plain, method: 'GET', auth: 'operator' }),
    // @ts-expect-error an operator's with an unknown permission
    route({ ...plain, method: 'GET', auth: 'operator', permission: 'everything' }),
    // @ts-expect-error an operator's change without an audit action
    route({ ...plain, method: 'POST', auth: 'operator', permission: 'players.write' }),
    // @ts-expect-error an operator's change with an unknown audit action
    route({ ...plain, method: 'POST', auth: 'operator', permission: 'read', audit: 'player.praise' }),
    // @ts-expect-error a player's with a permission
    route({ ...plain, method: 'GET', auth: 'player', permission: 'read' }),
    // @ts-expect-error a game server's with an audit action
    route({ ...plain, method: 'POST', auth: 'game_server', audit: 'export' }),
    route({ ...plain, method: 'POST', auth: 'game_server', fastPath: true }),
    route({ ...plain, method: 'POST', auth: 'player', fastPath: true }),
    // @ts-expect-error an operator's on the fast path
    route({ ...plain, method: 'GET', auth: 'operator', permission: 'read', fastPath: true }),
  ];
  expect(declared).toHaveLength(17);
});
