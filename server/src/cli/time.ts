import { InvalidArgumentError } from 'commander';
import { timeText } from '../runtime/time.ts';
import { loadSettings, settingsFile } from '../settings/load.ts';
import { orNone } from './context.ts';

const FALLBACK = 'Asia/Shanghai';
let config: string | undefined;
let known: string | undefined;

/** Sets the settings file whose `time_zone` is used. It is read when a time is first needed. */
export function useTimeZoneOf(named: string | undefined): void {
  config = named;
  known = undefined;
}

function timeZone(): string {
  try {
    known ??= loadSettings(settingsFile(config)).time_zone;
  } catch {
    // The command itself reports errors in the settings.
    known = FALLBACK;
  }
  return known;
}

/** A time: in `time_zone` for people, in UTC for scripts. */
class Moment {
  readonly #ms: number;
  constructor(ms: number) {
    this.#ms = ms;
  }
  toJSON(): string {
    return timeText(this.#ms);
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

/** Parses a written time, which is in `time_zone` unless it names a zone. */
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

/** Parses a time: written out, or days, hours or minutes from now, such as 7d or 12h. */
export function moment(text: string): number {
  const span = spanOf(text);
  return span === undefined ? written(text) : Date.now() + span;
}

/** Parses a time in the same form, with spans counted back from now. */
export function pastMoment(text: string): number {
  const span = spanOf(text);
  return span === undefined ? written(text) : Date.now() - span;
}

/** Parses a time that must be in the future. */
export function futureMoment(text: string): number {
  const at = moment(text);
  if (at <= Date.now()) throw new InvalidArgumentError(`${time(at)} is in the past.`);
  return at;
}

export const momentOrNone = orNone(moment);
export const futureOrNone = orNone(futureMoment);
