import { Refusal } from '../refusal.ts';

/** The number in a path; what is no number is the id of nothing. */
export function pathId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('not_found');
  return Number(text);
}
