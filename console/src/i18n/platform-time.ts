/** Parts of a time in the platform's time zone. */

interface Parts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function partsIn(zone: string, date: Date): Parts {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  return Object.fromEntries(
    format.formatToParts(date).map(({ type, value }) => [type, value]),
  ) as unknown as Parts;
}

/** `2026-11-16` */
export function dayIn(zone: string, date: Date): string {
  const { year, month, day } = partsIn(zone, date);
  return `${year}-${month}-${day}`;
}

/** `11-16 08:12`, with the year if it is not the current one, and optionally with seconds. */
export function stampIn(zone: string, time: string, { seconds = false, now = new Date() } = {}): string {
  const { year, month, day, hour, minute, second } = partsIn(zone, new Date(time));
  const sameYear = year === partsIn(zone, now).year;
  return `${sameYear ? '' : `${year}-`}${month}-${day} ${hour}:${minute}${seconds ? `:${second}` : ''}`;
}

/** `08:12:40` */
export function clockIn(zone: string, date: Date): string {
  const { hour, minute, second } = partsIn(zone, date);
  return `${hour}:${minute}:${second}`;
}

/** `2026-11-16 00:12:40 UTC` */
export const utcStamp = (time: string) =>
  `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns the value for `<input type="datetime-local">`. */
export function inputValueIn(zone: string, time: string): string {
  const { year, month, day, hour, minute } = partsIn(zone, new Date(time));
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** Returns the moment that such an input means in the zone. */
export function momentOf(zone: string, input: string): string {
  const asUtc = Date.parse(`${input.slice(0, 16)}:00Z`);
  // Determine the offset twice: the first may be that of the other side of a clock change.
  const first = asUtc - offsetAt(zone, asUtc);
  return new Date(asUtc - offsetAt(zone, first)).toISOString();
}

function offsetAt(zone: string, moment: number): number {
  const { year, month, day, hour, minute, second } = partsIn(zone, new Date(moment));
  return (
    Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(moment / 1000) * 1000
  );
}

export function shiftDay(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
}
