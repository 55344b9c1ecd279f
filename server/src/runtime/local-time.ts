/** In every current time zone, days and hours begin at a multiple of 15 minutes. */
const QUARTER_MS = 15 * 60 * 1000;
const MAX_CACHED = 50_000;

export interface LocalMoment {
  /** For example 2030-01-31. */
  readonly day: string;
  readonly hour: number;
}

export interface DaySpan {
  readonly day: string;
  /** From this time, inclusive, to that one, exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Calendar days in a time zone. Times are milliseconds since 1970 UTC. */
export function localTime(timeZone: string) {
  const cache = new Map<number, LocalMoment>();
  let current: DaySpan = { day: '', from: 0, to: 0 };

  function spanOf(day: string): DaySpan {
    const date = Temporal.PlainDate.from(day);
    const startOf = (each: Temporal.PlainDate) => each.toZonedDateTime(timeZone).epochMilliseconds;
    return { day, from: startOf(date), to: startOf(date.add({ days: 1 })) };
  }

  function at(ms: number): LocalMoment {
    const quarter = Math.floor(ms / QUARTER_MS);
    const cached = cache.get(quarter);
    if (cached) return cached;
    const local = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS).toZonedDateTimeISO(timeZone);
    const moment = { day: local.toPlainDate().toString(), hour: local.hour };
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(quarter, moment);
    return moment;
  }

  function today(now = Date.now()): DaySpan {
    if (now < current.from || now >= current.to) current = spanOf(at(now).day);
    return current;
  }

  return {
    timeZone,
    at,
    spanOf,
    today,
    /** Returns the last days up to today, oldest first. */
    lastDays(count: number): string[] {
      const last = Temporal.PlainDate.from(today().day);
      return Array.from({ length: count }, (_, index) =>
        last.subtract({ days: count - 1 - index }).toString(),
      );
    },
  };
}

export type LocalTime = ReturnType<typeof localTime>;
