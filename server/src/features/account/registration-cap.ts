import { Refusal } from '../../refusal.ts';
import { dayIn } from '../../runtime/day.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { AccountStore } from './store.ts';

const CLOSED_RETRY_S = 3600;

export type RequireRegistrationOpen = () => Promise<void>;

/**
 * Refuses while registration is closed or the day's cap is reached. Checked before anything that depends on names; otherwise a
 * full day would reveal, without limit or cost, which names are taken. The registration transaction does the counting.
 */
export function requireRegistrationOpen(parts: {
  readonly players: Pick<AccountStore, 'registrationsOf'>;
  readonly settings: LiveSettings;
}): RequireRegistrationOpen {
  return async () => {
    const { day_max_reg, time_zone } = parts.settings.current;
    refuseClosed(day_max_reg);
    const { day, secondsLeft } = dayIn(time_zone);
    if ((await parts.players.registrationsOf(day)) >= day_max_reg) throw capReached(secondsLeft);
  };
}

export function refuseClosed(dayMax: number): void {
  if (dayMax === 0)
    throw new Refusal('registration_cap_reached', { variant: 'closed', retryAfter: CLOSED_RETRY_S });
}

export const capReached = (retryAfter: number) => new Refusal('registration_cap_reached', { retryAfter });
