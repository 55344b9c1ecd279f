import { expect, test } from 'vitest';
import { ApiError } from '../api/failure.ts';
import { useResource } from './use-resource.ts';

test('when filters change, then the data is cleared before the answer arrives, and stays so if none does', async () => {
  let answer = Promise.withResolvers<string>();
  const { data, error, load, restart } = useResource(() => answer.promise);
  answer.resolve('old day');
  await load();
  answer = Promise.withResolvers();
  const restarted = restart();
  expect([data.value, error.value]).toEqual([null, null]);
  answer.reject(new ApiError({ kind: 'offline' }));
  await restarted;
  expect([data.value, error.value]).toEqual([null, { kind: 'offline' }]);
});
