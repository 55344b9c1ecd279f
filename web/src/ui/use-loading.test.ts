import { expect, test, vi } from 'vitest';
import { useLoading } from './use-loading.ts';

/** A loader whose calls are resolved by the test, in any order. */
function loader() {
  const calls: PromiseWithResolvers<string>[] = [];
  const fetch = () => {
    const call = Promise.withResolvers<string>();
    calls.push(call);
    return call.promise;
  };
  const answer = (n: number) => calls[n] ?? expect.unreachable(`there was no call ${n}`);
  return { ...useLoading(fetch, String), answer };
}

test('when the data arrives, then it is set and nothing is busy', async () => {
  const { data, busy, error, load, answer } = loader();
  const loaded = load();
  expect(busy.value).toBe(true);
  answer(0).resolve('roles');
  await loaded;
  expect([data.value, busy.value, error.value]).toEqual(['roles', false, null]);
});

test('when an older call answers after a newer one, then the newer answer stays', async () => {
  const { data, busy, load, answer } = loader();
  const both = [load(), load()];
  answer(1).resolve('newer');
  await both[1];
  expect([data.value, busy.value]).toEqual(['newer', false]);
  answer(0).resolve('older');
  await both[0];
  expect([data.value, busy.value]).toEqual(['newer', false]);
});

test('when an older call answers while a newer one is in flight, then the newer one is still awaited', async () => {
  const { data, busy, load, answer } = loader();
  const both = [load(), load()];
  answer(0).resolve('older');
  await both[0];
  expect([data.value, busy.value]).toEqual([null, true]);
  answer(1).resolve('newer');
  await both[1];
  expect([data.value, busy.value]).toEqual(['newer', false]);
});

test('when an older call fails after a newer one succeeded, then no error is shown', async () => {
  const { data, error, load, answer } = loader();
  const both = [load(), load()];
  answer(1).resolve('newer');
  answer(0).reject('offline');
  await Promise.all(both);
  expect([data.value, error.value]).toEqual(['newer', null]);
});

test('when a reload fails, then the previous data stays with the error; the next success clears it', async () => {
  const { data, error, load, answer } = loader();
  const first = load();
  answer(0).resolve('before');
  await first;
  const second = load();
  answer(1).reject('offline');
  await second;
  expect([data.value, error.value]).toEqual(['before', 'offline']);
  const third = load();
  answer(2).resolve('after');
  await third;
  expect([data.value, error.value]).toEqual(['after', null]);
});

test('when the page itself has a bug, then it is thrown and nothing stays busy', async () => {
  const rethrow = (thrown: unknown) => {
    throw thrown;
  };
  const { busy, load } = useLoading(vi.fn().mockRejectedValue(new TypeError('a bug')), rethrow);
  await expect(load()).rejects.toThrow('a bug');
  expect(busy.value).toBe(false);
});
