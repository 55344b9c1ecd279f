import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AnswerOf, type BodyOf, type Route, routes } from '@gatehouse/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { generated } from '../scripts/generate.ts';
import type { GameServerRoutes } from '../src/contract/game-server.ts';
import { type PlayerRoutes, playerRoutes } from '../src/contract/player.ts';

type Schema = { readonly properties?: object } | undefined;

test.each(Object.keys(generated))(
  'when the contract changes, then %s is regenerated: npm run generate --workspace client',
  (file) => {
    expect(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8')).toBe(generated[file]);
  },
);

test('when a route is for players or anonymous callers, then the client has it', () => {
  const others = ['check', 'checkByQuery', 'live', 'ready', 'metrics', 'openapi', 'callback'];
  const forPlayers = Object.entries<Route>(routes)
    .filter(([name, { auth }]) => auth !== 'game_server' && !others.includes(name))
    .map(([name]) => name);
  expect(Object.keys(playerRoutes).sort()).toEqual(forPlayers.sort());
});

test('when parameters, query and body form one input, then no name occurs twice', () => {
  for (const [name, { params, query, body }] of Object.entries<Route>(routes)) {
    const names = [params, query, body].flatMap((part) => Object.keys((part as Schema)?.properties ?? {}));
    expect(new Set(names).size, name).toBe(names.length);
  }
});

test('when types are generated, then they match the contract', () => {
  type Routes = typeof routes;
  expectTypeOf<PlayerRoutes['config']['answer']>().toEqualTypeOf<AnswerOf<Routes['config']>>();
  expectTypeOf<PlayerRoutes['withdraw']['answer']>().toEqualTypeOf<AnswerOf<Routes['withdraw']>>();
  expectTypeOf<PlayerRoutes['serverList']['answer']>().toEqualTypeOf<AnswerOf<Routes['serverList']>>();
  expectTypeOf<PlayerRoutes['login']['input']>().toEqualTypeOf<BodyOf<Routes['login']>>();
  expectTypeOf<BodyOf<Routes['register']>>().toExtend<PlayerRoutes['register']['input']>();
  expectTypeOf<GameServerRoutes['reportChat']['input']>().toEqualTypeOf<BodyOf<Routes['reportChat']>>();
  expectTypeOf<GameServerRoutes['checkPlayer']['answer']>().toEqualTypeOf<AnswerOf<Routes['check']>>();
});
