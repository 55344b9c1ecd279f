import { InvalidArgumentError } from 'commander';
import { loadSettings, settingsFile } from '../settings/load.ts';

const FALLBACK = 'Asia/Shanghai';
let config: string | undefined;
let known: string | undefined;

/** The settings file of this call, whose `time_zone` is the operator's; read when a time is first met. */
export function useTimeZoneOf(named: string | undefined): void {
  config = named;
  known = undefined;
}

function timeZone(): string {
  try {
    known ??= loadSettings(settingsFile(config)).time_zone;
  } catch {
    // The command itself says what is wrong with the settings.
    known = FALLBACK;
  }
  return known;
}

/** A moment in `time_zone` for people, in UTC for scripts. */
class Moment {
  readonly #ms: number;
  constructor(ms: number) {
    this.#ms = ms;
  }
  toJSON(): string {
    return new Date(this.#ms).toISOString();
  }
  toString(): string {
    const local = Temporal.Instant.fromEpochMilliseconds(this.#ms).toZonedDateTimeISO(timeZone());
    return local.toString({ timeZoneName: 'never', smallestUnit: 'second' });
  }
}

export const time = (ms: number | null) => (ms === null ? null : new Moment(ms));

const WRITTEN = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::[0-5]\d(?:\.\d{1,9})?)?))?(Z|[+-]\d{2}:\d{2})?$/;
const SPAN = /^(\d{1,6})([dhm])$/;
const UNITS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

function spanOf(text: string): number | undefined {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

/** A time as it is written; without a zone of its own it is in `time_zone`. */
function written(text: string): number {
  const [, day = '', clock = '00:00', zone] = WRITTEN.exec(text) ?? [];
  try {
    return zone === undefined
      ? Temporal.PlainDateTime.from(`${day}T${clock}`, { overflow: 'reject' }).toZonedDateTime(timeZone())
          .epochMilliseconds
      : Temporal.Instant.from(`${day}T${clock}${zone}`).epochMilliseconds;
  } catch {
    throw new InvalidArgumentError(
      'must be a time such as 2030-01-31 12:00 (in time_zone) or 2030-01-31T12:00:00Z, or 7d, 12h, 30m.',
    );
  }
}

/** A moment: written out, or so many days, hours or minutes from now, such as 7d or 12h. */
export function moment(text: string): number {
  const span = spanOf(text);
  return span === undefined ? written(text) : Date.now() + span;
}

/** A moment before now, written the same way. */
export function pastMoment(text: string): number {
  const span = spanOf(text);
  return span === undefined ? written(text) : Date.now() - span;
}

/** When something ends: not before now. */
export function futureMoment(text: string): number {
  const at = moment(text);
  if (at <= Date.now()) throw new InvalidArgumentError(`${time(at)} is over already.`);
  return at;
}

/** The library would make an empty text of null. */
export const momentOrNone = (text: string) => (text === 'none' ? text : moment(text));
export const futureOrNone = (text: string) => (text === 'none' ? text : futureMoment(text));
