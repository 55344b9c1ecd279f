import { isIP } from 'node:net';
import { zoneStatuses } from '@gatehouse/contract';
import { InvalidArgumentError } from 'commander';
import { parseMysqlServer } from '../urls/mysql-url.ts';
import { oneOf, wholeNumber } from './context.ts';
import { futureOrNone, momentOrNone } from './time.ts';

/** Parses each field of a zone from an option or a CSV column, and refuses values that the table should not hold. */
export const zoneFields = {
  name: (text: string) => limited(text, 64),
  address: hostName,
  port: portNumber,
  status: oneOf(zoneStatuses),
  sort: wholeNumber,
  opens: momentOrNone,
  'maintenance-until': futureOrNone,
  message: (text: string) => limited(text, 200),
  'gm-url': httpUrl,
  'database-url': databaseUrl,
  'gm-receipts': oneOf(['yes', 'no', 'default']),
  'gm-signature': oneOf(['1', '2', 'default']),
};

function limited(text: string, length: number): string {
  const trimmed = text.trim();
  if (trimmed === '' || [...trimmed].length > length || /\p{Cc}/u.test(trimmed))
    throw new InvalidArgumentError(`must be one line of 1 to ${length} characters.`);
  return trimmed;
}

/** Parses a bare host name or address: players' clients connect to it as is. */
function hostName(text: string): string {
  const isName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i.test(text);
  if (isIP(text) === 0 && (!isName || /^[\d.]+$/.test(text)))
    throw new InvalidArgumentError('must be a host name or an IP address, such as game1.example.com.');
  return text;
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port < 1 || port > 65535) throw new InvalidArgumentError('must be from 1 to 65535.');
  return port;
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || text.length > 255 || /\s/.test(text))
    throw new InvalidArgumentError('must be a URL such as http://10.0.0.5:8080/gm.');
  return text;
}

function databaseUrl(text: string): string {
  if (!/^sqlite:./.test(text) && parseMysqlServer(text) === undefined)
    throw new InvalidArgumentError('must be mysql://user:password@host:port or sqlite:folder.');
  return text;
}

const MAX_ZONE = 2_147_483_647;
const MAX_ZONES = 1000;

/** Parses `1,2,5-9`. */
export function zoneIds(text: string): number[] {
  const zones = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,10})(?:-(\d{1,10}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && from <= to && to <= MAX_ZONE && to - from < MAX_ZONES))
      throw new InvalidArgumentError('must be zone ids such as 1,2,5-9.');
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  const unique = [...new Set(zones)].sort((a, b) => a - b);
  if (unique.length > MAX_ZONES) throw new InvalidArgumentError(`must be at most ${MAX_ZONES} zones.`);
  return unique;
}
