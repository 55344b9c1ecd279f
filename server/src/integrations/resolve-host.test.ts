import { expect, test } from 'vitest';
import { resolveHost } from './resolve-host.ts';

test('when a name has addresses, then they are found', async () => {
  expect(await resolveHost('localhost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(127\.|::1)/)]),
  );
});

test('when a name has no addresses, then the list is empty', async () => {
  expect(await resolveHost('nowhere.invalid')).toEqual([]);
});

test('when no name server answers, then the lookup does not wait for it', async () => {
  const lookupAll = () => new Promise<never>(() => {});
  expect(await resolveHost('game.example', { lookupAll, timeoutMs: 20 })).toEqual([]);
});
