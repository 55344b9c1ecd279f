const RFC_3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Reports whether the text is an RFC 3339 time. Refuses leap seconds, because none of our clocks shows them. */
export function isTime(text: string): boolean {
  if (!RFC_3339.test(text)) return false;
  const day = text.slice(0, 10);
  // Date parses February 30 as March 2.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/**
 * Returns milliseconds since 1970 UTC. Absent times stay absent. Throws if `isTime` is false; the API's schemas check that
 * first.
 */
export function parseTime<Absent extends null | undefined = never>(text: string | Absent): number | Absent {
  if (typeof text !== 'string') return text;
  if (!isTime(text)) throw new RangeError(`${text} is not a time`);
  return Date.parse(text);
}

/** Formats a time as the API writes it. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

export const timeTextOrNull = (ms: number | null): string | null => (ms === null ? null : timeText(ms));

/** Formats a time for people: `2026-11-16 11:20:05 Asia/Shanghai`. */
export function readableTime(timeZone: string, ms: number): string {
  const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const seconds = time.toPlainDateTime().toString({ smallestUnit: 'second' });
  return `${seconds.replace('T', ' ')} ${timeZone}`;
}

let today = { timeZone: '', day: '', from: 0, to: 0 };

/** Returns the calendar day in the operator's time zone, and the seconds until it ends. */
export function dayIn(timeZone: string): { day: string; secondsLeft: number } {
  const now = Date.now();
  if (timeZone !== today.timeZone || now < today.from || now >= today.to) {
    const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay();
    const end = start.add({ days: 1 });
    const [from, to] = [start.epochMilliseconds, end.epochMilliseconds];
    today = { timeZone, day: start.toPlainDate().toString(), from, to };
  }
  return { day: today.day, secondsLeft: Math.max(1, Math.ceil((today.to - now) / 1000)) };
}

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

/**
 * Extrapolates a clock that all instances share between two readings. It counts from the arrival of a reading, so it lags by
 * the latency of the answer and is never ahead. After the first reading, this machine's own clock has no effect.
 */
export function sharedClock() {
  let reading = { time: Date.now(), at: performance.now() };
  return {
    /** Returns milliseconds since 1970, never ahead of the shared clock. */
    now: () => Math.floor(reading.time + performance.now() - reading.at),
    /** Sets the time just read from the shared clock. */
    set(time: number) {
      reading = { time, at: performance.now() };
    },
  };
}
