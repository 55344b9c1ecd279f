import { Refusal } from '../../../refusal.ts';
import type { Limiter } from '../../../security/throttle.ts';

/** Limits the requests of a player that reach the game. */
export function requestLimit(limiter: Limiter) {
  const counted = new Map<string, Promise<void>>();
  const idOf = (playerId: number, key: string) => `${playerId} ${key}`;

  async function count(playerId: number): Promise<void> {
    const { over, retryAfter } = await limiter.hit(String(playerId));
    if (over) throw new Refusal('too_many_attempts', { retryAfter });
  }

  return {
    /** Refuses a player with too many requests. Requests with the same key count once while the first is in flight. */
    admit(playerId: number, key?: string) {
      if (key === undefined) return count(playerId);
      const id = idOf(playerId, key);
      const inFlight = counted.get(id);
      if (inFlight) return inFlight;
      const counting = count(playerId);
      counted.set(id, counting);
      // Forget a refusal: a retry with the same key must be counted again, and the map must not grow.
      counting.catch(() => counted.delete(id));
      return counting;
    },
    /** Ends an admitted request. The next one with its key counts again. */
    release(playerId: number, key: string | undefined) {
      if (key !== undefined) counted.delete(idOf(playerId, key));
    },
  };
}

export type RequestLimit = ReturnType<typeof requestLimit>;
