import { expect, test } from 'vitest';
import { limiter, memoryStore } from '../../../security/throttle.ts';
import { requestLimit } from './request-limit.ts';

const open = (limit: number) => requestLimit(limiter(memoryStore, () => ({ limit, window: 60 })));
const refusal = expect.objectContaining({ code: 'too_many_attempts' });

test('when a player without keys asks once more than allowed, then only that is refused, and others are not', async () => {
  const limit = open(2);
  await limit.admit(1);
  await limit.admit(1);
  await expect(limit.admit(1)).rejects.toThrow(refusal);
  await limit.admit(2);
});

test('when a request is repeated while the first is in flight, then it counts once, until that has ended', async () => {
  const limit = open(2);
  await Promise.all([limit.admit(1, 'a'), limit.admit(1, 'a'), limit.admit(1, 'a')]);
  limit.release(1, 'a');
  await limit.admit(1, 'a');
  await expect(limit.admit(1, 'b')).rejects.toThrow(refusal);
});

test('when two players use the same key, then each is counted', async () => {
  const limit = open(1);
  await Promise.all([limit.admit(1, 'a'), limit.admit(2, 'a')]);
  limit.release(2, 'a');
  await expect(limit.admit(2, 'b')).rejects.toThrow(refusal);
  // Still in flight, so it is not counted again.
  await limit.admit(1, 'a');
});

test('when a request was refused, then each retry with its key is refused until the window ends', async () => {
  let isOver = true;
  const limit = requestLimit({ hit: async () => ({ over: isOver, retryAfter: 60 }), undo: async () => {} });
  await expect(limit.admit(1, 'a')).rejects.toThrow(
    expect.objectContaining({ code: 'too_many_attempts', details: { retryAfter: 60 } }),
  );
  isOver = false;
  await limit.admit(1, 'a');
});
