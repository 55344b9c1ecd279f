import { routes } from '@gatehouse/contract';
import { expect, test, vi } from 'vitest';
import type { Input } from './input.ts';
import { ANSWER_WITHIN_MS, executeInTime, type MountedRoute, settleInTime } from './mount.ts';

/** Returns the input of a request that arrived `ms` milliseconds ago. */
const inputSince = (ms: number) => ({ context: { startedAt: performance.now() - ms } }) as Input<never>;
const mounted = (handle: () => unknown, auth: string) =>
  ({ handle, route: { ...routes.login, auth } }) as unknown as MountedRoute;

// With slow dependencies: server/test/slow-parts/slow-parts.slow.test.ts
test('when a request takes too long, then it is refused, except for operators', async () => {
  vi.useFakeTimers();
  try {
    const never = () => new Promise(() => {});
    const player = Promise.resolve(executeInTime(mounted(never, 'none'), inputSince(5000)));
    const refused = expect(player).rejects.toMatchObject({ code: 'unavailable' });
    let isSettled = false;
    const operator = Promise.resolve(executeInTime(mounted(never, 'operator'), inputSince(5000)));
    void operator.finally(() => {
      isSettled = true;
    });
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS - 5000);
    await refused;
    expect(isSettled).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('when a request is answered, then no timer remains', async () => {
  vi.useFakeTimers();
  try {
    expect(
      await executeInTime(
        mounted(async () => 'answer', 'none'),
        inputSince(0),
      ),
    ).toBe('answer');
    await expect(
      executeInTime(
        mounted(async () => {
          throw new Error('failed');
        }, 'none'),
        inputSince(0),
      ),
    ).rejects.toThrow('failed');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('when the result comes after the refusal, then it is ignored', async () => {
  vi.useFakeTimers();
  try {
    const { promise, resolve } = Promise.withResolvers();
    const done = vi.fn();
    const failed = vi.fn();
    settleInTime(promise, done, failed);
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS);
    resolve('late');
    await promise;
    expect(failed).toHaveBeenCalledOnce();
    expect(done).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
