import { fill } from '../../http/texts/index.ts';
import type { Area, Check, Reason, Texts } from './texts/index.ts';

type Result = 'ok' | 'failed' | 'skipped';
type Params = Readonly<Record<string, string | number>>;

/** Request and response, without secrets. */
export interface Shown {
  readonly request: string;
  readonly response: string;
}

/** The result of one check. Its texts are data, in two languages. */
export interface Line {
  readonly area: Area;
  readonly check: Check;
  readonly result: Result;
  readonly reason: Reason;
  readonly params: Params;
  readonly shown?: Shown | undefined;
}

export type Judge = (result: Result, reason: Reason, params?: Params, shown?: Shown) => Line;

export const lineOf =
  (area: Area, check: Check): Judge =>
  (result, reason, params = {}, shown = undefined) => ({ area, check, result, reason, params, shown });

/** Creates lines for skipped checks with one common reason. */
export const skipped = (area: Area, checks: readonly Check[], reason: Reason, params?: Params): Line[] =>
  checks.map((check) => lineOf(area, check)('skipped', reason, params));

/** Returns a line's text in a language, with the advice if something should be done. */
export function wordsOf({ result, reason, params }: Line, { reasons }: Texts) {
  const { says, advice } = reasons[reason];
  const isWanted = result !== 'ok' && advice !== undefined;
  return { says: fill(says, params), ...(isWanted && { advice: fill(advice, params) }) };
}
