import type { RefusalCode, WithdrawState, ZoneStatus } from '@gatehouse/contract/player';
import type { Issue } from '../forms/validation.ts';

/** A text, or a function of its parameters. Functions instead of a template language, so that nothing has to be compiled. */
export type Message = string | ((params: { named(key: string): unknown }) => string);

/** Why an amount cannot be withdrawn. */
export type AmountIssue =
  | 'required'
  | 'malformed'
  | 'below_min'
  | 'above_max'
  | 'off_step'
  | 'above_balance'
  | 'above_day';

/** How hard a password is to guess. */
export type Strength = 'weak' | 'fair' | 'strong';

/** Texts for closed sets of codes: a new refusal without a text does not compile. */
export interface CodeMessages {
  readonly refusals: Readonly<Record<RefusalCode, Message>>;
  readonly issues: Readonly<Record<Issue, Message>>;
  readonly amountIssues: Readonly<Record<AmountIssue, Message>>;
  readonly strength: Readonly<Record<Strength, Message>>;
  readonly zoneStatus: Readonly<Record<ZoneStatus, Message>>;
  readonly withdrawStates: Readonly<Record<WithdrawState, { label: Message; meaning: Message }>>;
}

/** Same keys, any texts. */
export type Shape<T> = { readonly [K in keyof T]: T[K] extends Message ? Message : Shape<T[K]> };
