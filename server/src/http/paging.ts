import { Refusal, refuseInput } from '../refusal.ts';

/** Types of a sort key, such as `['number', 'string']` for a time and an id. */
export type Shape = readonly ('number' | 'string')[];

/** The position of an entry in a list, as its sort key. */
export type Position<S extends Shape> = {
  readonly [Index in keyof S]: S[Index] extends 'number' ? number : string;
};

export interface Page<Entry, S extends Shape> {
  readonly entries: readonly Entry[];
  /** The position where the next page begins; undefined at the end. */
  readonly next: Position<S> | undefined;
}

export interface PageRequest<S extends Shape> {
  readonly limit: number;
  readonly after: Position<S> | undefined;
}

const DEFAULT_LIMIT = 50;

export function encodeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Decodes a cursor and refuses one that does not fit this list's sort key. */
export function decodeCursor<const S extends Shape>(cursor: string, shape: S, field = 'cursor'): Position<S> {
  const position = parse(cursor);
  const fits =
    Array.isArray(position) &&
    position.length === shape.length &&
    position.every((part, index) => typeof part === shape[index] && isBindable(part));
  if (!fits) throw refuseInput(field, 'unfit');
  return position as unknown as Position<S>;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const isBindable = (part: unknown) =>
  typeof part === 'number' ? Number.isSafeInteger(part) : !String(part).includes('\0');

export function pageRequest<S extends Shape>(
  { limit = DEFAULT_LIMIT, cursor }: { limit?: number; cursor?: string },
  shape: S,
): PageRequest<S> {
  return { limit, after: cursor === undefined ? undefined : decodeCursor(cursor, shape) };
}

/** Builds a page from a query for limit + 1 entries; the extra entry means there is a next page. */
export function pageOf<Entry, P>(
  found: readonly Entry[],
  limit: number,
  positionOf: (entry: Entry) => P,
): { entries: readonly Entry[]; next: P | undefined } {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: last !== undefined && found.length > limit ? positionOf(last) : undefined };
}

/** Parses an id in a path. Anything that is not a number is a 404. */
export function pathId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('not_found');
  return Number(text);
}
