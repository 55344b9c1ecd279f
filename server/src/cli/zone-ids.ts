import { InvalidArgumentError } from 'commander';

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
