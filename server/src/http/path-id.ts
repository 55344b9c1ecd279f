import { Refusal } from '../refusal.ts';

/** Parses an id in a path. Anything that is not a number is a 404. */
export function pathId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('not_found');
  return Number(text);
}
