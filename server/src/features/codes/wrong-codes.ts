import { Refusal } from '../../refusal.ts';
import { dayIn } from '../../runtime/day.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { BudgetStore } from './budget-store.ts';

export interface WrongCodes {
  /** Counts a try before it is judged, and refuses it when the day's wrong ones are used up. Returns how to take it back. */
  count(email: string): Promise<() => Promise<void>>;
  /** Refuses while no code of this address would be judged. */
  refuseUsedUp(email: string): Promise<void>;
  /** Forgets up to so many counts of the days before; returns how many. */
  deleteOldest(limit: number): Promise<number>;
}

/** Five tries burn a code, but a new one is a minute away: all codes of an address share so many wrong tries a day. */
export function wrongCodes(parts: {
  readonly budget: BudgetStore;
  readonly settings: LiveSettings;
  readonly refused: (throttle: string) => void;
}): WrongCodes {
  const { budget, settings } = parts;
  const today = () => dayIn(settings.current.time_zone);
  const limit = () => settings.current.code_throttle.wrong_per_email;

  function usedUp(retryAfter: number): Refusal {
    parts.refused('wrong_codes');
    return new Refusal('too_many_attempts', { retryAfter, throttle: 'wrong_codes' });
  }

  return {
    async count(email) {
      const { day, secondsLeft } = today();
      if (!(await budget.take(day, email, limit()))) throw usedUp(secondsLeft);
      return () => budget.giveBack(day, email);
    },
    async refuseUsedUp(email) {
      const { day, secondsLeft } = today();
      if ((await budget.counted(day, email)) >= limit()) throw usedUp(secondsLeft);
    },
    deleteOldest: (limit) => budget.deleteBefore(today().day, limit),
  };
}
