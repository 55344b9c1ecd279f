import { expect, test, vi } from 'vitest';
import { useSubmit } from './use-submit.ts';

test('when it is submitted twice, then the action runs once', async () => {
  const answer = Promise.withResolvers<void>();
  const action = vi.fn((_amount: number) => answer.promise);
  const { busy, submit } = useSubmit(action, String);
  const both = [submit(1), submit(2)];
  expect(busy.value).toBe(true);
  answer.resolve();
  await Promise.all(both);
  expect(action).toHaveBeenCalledExactlyOnceWith(1);
  expect(busy.value).toBe(false);
});

test('when the action fails, then its error is shown until the next attempt starts', async () => {
  const answer = Promise.withResolvers<void>();
  const { error, busy, submit } = useSubmit(
    vi.fn<() => Promise<void>>().mockRejectedValueOnce('offline').mockReturnValueOnce(answer.promise),
    String,
  );
  await submit();
  expect([error.value, busy.value]).toEqual(['offline', false]);
  const second = submit();
  expect(error.value).toBeNull();
  answer.resolve();
  await second;
});
