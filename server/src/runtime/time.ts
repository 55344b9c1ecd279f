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
