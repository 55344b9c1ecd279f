export type Hour = 'dawn' | 'day' | 'dusk' | 'evening' | 'night';

/** Returns the part of the day that the sky shows at this hour. */
export function hourOf({ hour }: { hour: number }): Hour {
  if (hour >= 5 && hour < 8) return 'dawn';
  if (hour >= 8 && hour < 17) return 'day';
  if (hour >= 17 && hour < 20) return 'dusk';
  return hour >= 20 && hour < 23 ? 'evening' : 'night';
}
