import { canonicalAddress } from '../../security/addresses.ts';

/** The result of a reader: the value, `null` if there is none, or `undefined` if it cannot be read. */
export type Read<T> = T | null | undefined;

const MAX_INT32 = 2_147_483_647;
const EMAIL = /^[^\s@]{1,64}@[^\s@][^\s@.]*\.[^\s@]+$/;
const CONTROL = /\p{Cc}/u;

/** Reports whether a text is empty or what exports write for NULL. */
export function isNothing(text: string): boolean {
  return text === '' || text === 'NULL' || text === '\\N';
}

export function readEmail(text: string): Read<string> {
  const email = text.trim().toLowerCase();
  if (isNothing(text.trim())) return null;
  return email.length <= 254 && EMAIL.test(email) && !CONTROL.test(email) ? email : undefined;
}

/** Reads the id of a zone or promoter. The old generation wrote 0 for none. */
export function readId(text: string): Read<number> {
  const id = readCount(text);
  return id === 0 ? null : id;
}

export function readCount(text: string): Read<number> {
  const digits = text.trim();
  if (isNothing(digits)) return null;
  return /^\d{1,10}$/.test(digits) && Number(digits) <= MAX_INT32 ? Number(digits) : undefined;
}

/** Reads an address, also as a number from PHP's ip2long. */
export function readAddress(text: string): Read<string> {
  const address = text.trim();
  if (isNothing(address) || address === '0') return null;
  if (!/^-?\d{1,10}$/.test(address)) return canonicalAddress(address);
  const bits = Number(address) >>> 0;
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** Reads a device's name, which is only displayed, and cuts it if it is too long. */
export function readLabel(text: string): Read<string> {
  const label = text.trim().replaceAll(/\p{Cc}/gu, ' ');
  if (isNothing(label)) return null;
  return label.length <= 128 ? label : [...label].slice(0, 128).join('');
}

const FIRST_MILLISECONDS = 100_000_000_000; // as seconds, the year 5138; as milliseconds, 1973
const LOCAL_TIME = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

const DAY_MS = 86_400_000;

/**
 * Reads Unix seconds, milliseconds or a date text, which is in `timeZone` unless it names another. A time in the future is
 * unreadable: as a last login it would never be replaced by a real one.
 */
export function timeReader(timeZone: string): (text: string) => Read<number> {
  // Clocks may differ.
  const latest = Date.now() + DAY_MS;
  const hours = new Map<string, number | undefined>();

  /** Caches the start of each hour: a time zone lookup is expensive, and old accounts share their hours. */
  function hourStart(year: string, month: string, day: string, hour: string): number | undefined {
    const name = `${year}-${month}-${day} ${hour}`;
    if (!hours.has(name)) hours.set(name, startOf({ year, month, day, hour }, timeZone));
    return hours.get(name);
  }

  function read(text: string): Read<number> {
    const time = text.trim();
    if (isNothing(time) || /^0+$|^0000-00-00/.test(time)) return null;
    if (/^\d{1,15}$/.test(time)) return Number(time) * (Number(time) < FIRST_MILLISECONDS ? 1000 : 1);
    const local = LOCAL_TIME.exec(time);
    if (local === null) {
      const at = /\d(Z|[+-]\d{2}:?\d{2})$/.test(time) ? Date.parse(time) : Number.NaN;
      return Number.isNaN(at) || at < 0 ? undefined : at;
    }
    const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0'] = local;
    const start = hourStart(year, month, day, hour);
    return start === undefined || Number(minute) > 59 || Number(second) > 60
      ? undefined
      : start + Number(minute) * 60_000 + Number(second) * 1000;
  }

  return (text) => {
    const at = read(text);
    return typeof at === 'number' && at > latest ? undefined : at;
  };
}

function startOf(
  { year, month, day, hour }: Record<'year' | 'month' | 'day' | 'hour', string>,
  timeZone: string,
): number | undefined {
  const fields = { year: Number(year), month: Number(month), day: Number(day), hour: Number(hour) };
  try {
    const at = Temporal.PlainDateTime.from(fields, { overflow: 'reject' }).toZonedDateTime(timeZone);
    return at.epochMilliseconds >= 0 ? at.epochMilliseconds : undefined;
  } catch {
    return undefined;
  }
}

/** Maps characters to bytes as MariaDB reads a latin1 column, which is Windows-1252. */
const BYTE_OF = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);
const decoder = new TextDecoder('gb18030', { fatal: true });
/** Two bytes of one character beyond ASCII. */
const SUSPICIOUS = /\P{ASCII}{2}/u;

/** Returns the intended text if it is Chinese that was decoded as Western European, otherwise undefined. */
export function meantAsChinese(text: string): string | undefined {
  if (!SUSPICIOUS.test(text)) return undefined;
  const bytes: number[] = [];
  for (const char of text) {
    const byte = BYTE_OF.get(char);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  try {
    const meant = decoder.decode(Uint8Array.from(bytes));
    return /\p{Script=Han}/u.test(meant) ? meant : undefined;
  } catch {
    return undefined;
  }
}
