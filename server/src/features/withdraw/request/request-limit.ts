import { Refusal } from '../../../refusal.ts';
import type { Limiter } from '../../../security/throttle.ts';

/** Counts a player's requests that go on to the game. */
export interface RequestLimit {
  /** Refuses when there were too many. Those with the same key are one as long as the first of them is under way. */
  admit(playerId: number, key?: string): Promise<void>;
  /** The request with this key is over. */
  release(playerId: number, key: string | undefined): void;
}

export function requestLimit(limiter: Limiter): RequestLimit {
  const underWay = new Map<string, Promise<void>>();
  const idOf = (playerId: number, key: string) => `${playerId} ${key}`;

  async function count(playerId: number): Promise<void> {
    const { over, retryAfter } = await limiter.hit(String(playerId));
    if (over) throw new Refusal('too_many_attempts', { retryAfter });
  }

  return {
    admit(playerId, key) {
      if (key === undefined) return count(playerId);
      const id = idOf(playerId, key);
      const counted = underWay.get(id) ?? count(playerId);
      underWay.set(id, counted);
      return counted;
    },
    release(playerId, key) {
      if (key !== undefined) underWay.delete(idOf(playerId, key));
    },
  };
}
