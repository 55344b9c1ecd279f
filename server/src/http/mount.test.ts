import { routes } from '@gatehouse/contract';
import { expect, test, vi } from 'vitest';
import type { Input } from './input.ts';
import { ANSWER_WITHIN_MS, executeInTime, type MountedRoute, settleInTime } from './mount.ts';

const input = { context: {} } as Input<never>;
const mounted = (handle: () => unknown, auth: string) =>
  ({ handle, route: { ...routes.login, auth } }) as unknown as MountedRoute;

// With slow dependencies: server/test/slow-parts/slow-parts.slow.test.ts
test('when a request takes too long, then it is refused, except for operators', async () => {
  vi.useFakeTimers();
  try {
    const never = () => new Promise(() => {});
    const player = Promise.resolve(executeInTime(mounted(never, 'none'), input));
    const refused = expect(player).rejects.toMatchObject({ code: 'unavailable' });
    let isSettled = false;
    const operator = Promise.resolve(executeInTime(mounted(never, 'operator'), input));
    void operator.finally(() => {
      isSettled = true;
    });
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS);
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
        input,
      ),
    ).toBe('answer');
    await expect(
      executeInTime(
        mounted(async () => {
          throw new Error('failed');
        }, 'none'),
        input,
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
