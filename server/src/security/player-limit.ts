import { Refusal } from '../refusal.ts';
import { type Limit, windowCounter } from './throttle.ts';

/** Refuses a player who logs in or enters too often: each time adds a row to the history. */
export type PlayerLimit = (what: 'login' | 'enter', playerId: number) => void;

/** Counts in each process separately, which saves login and entry a round trip. */
export function createPlayerLimit(limit: () => Limit, refused: (throttle: string) => void): PlayerLimit {
  const openCounters = (window: number) => ({
    window,
    login: windowCounter<number>(window),
    enter: windowCounter<number>(window),
  });
  let counters = openCounters(limit().window);

  return (what, playerId) => {
    const { limit: most, window } = limit();
    if (counters.window !== window) counters = openCounters(window);
    const { consumedPoints, msBeforeNext } = counters[what](playerId, 1);
    if (consumedPoints <= most) return;
    const throttle = `player_${what}`;
    refused(throttle);
    throw new Refusal('too_many_attempts', { retryAfter: Math.ceil(msBeforeNext / 1000), throttle });
  };
}
