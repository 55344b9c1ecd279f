import { randomInt } from 'node:crypto';

const MAX_LENGTH = 24;
const MIN_LENGTH = 4;
const TRIES = 5;

/** Yields account names to try, most readable first: the person's name, the name and a number, the provider and a number. */
export function* accountNames({
  provider,
  name,
}: {
  provider: string;
  name: string | null;
}): Generator<string> {
  const readable = plainLetters(name ?? '');
  if (readable.length >= MIN_LENGTH) yield readable;
  if (readable !== '') for (let i = 0; i < TRIES; i++) yield numbered(readable, 4);
  for (let i = 0; i < TRIES; i++) yield numbered(plainLetters(provider), 8);
}

/** Converts `Jürgen Müller` to `Jurgen_Muller`. Returns an empty string if no letters remain. */
function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, MAX_LENGTH)
    .replace(/^_|_$/g, '');
}

function numbered(base: string, digits: number): string {
  const number = String(randomInt(10 ** digits)).padStart(digits, '0');
  return `${(base || 'player').slice(0, MAX_LENGTH - digits - 1)}_${number}`;
}
