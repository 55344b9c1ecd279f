import type { RefusalCode, WithdrawState, ZoneStatus } from '@gatehouse/contract';
import type { Strength } from '../auth/password-strength.ts';
import type { Issue } from '../forms/validation.ts';
import type { AmountIssue } from '../withdraw/amounts.ts';
import type { zhCN } from './locales/zh-CN.ts';

/** A text, or a function of what it is about. Functions instead of a template language: nothing to compile. */
export type Message = string | ((words: { named(key: string): unknown }) => string);

/** The texts that must exist for every word of the contract: a new refusal without words does not compile. */
export interface ContractWords {
  readonly refusals: Readonly<Record<RefusalCode, Message>>;
  readonly issues: Readonly<Record<Issue, Message>>;
  readonly amountIssues: Readonly<Record<AmountIssue, Message>>;
  readonly strength: Readonly<Record<Strength, Message>>;
  readonly zoneStatus: Readonly<Record<ZoneStatus, Message>>;
  readonly withdrawStates: Readonly<Record<WithdrawState, { label: Message; meaning: Message }>>;
}

type Shape<T> = { readonly [K in keyof T]: T[K] extends Message ? Message : Shape<T[K]> };

/** Every language says everything that Chinese says. */
export type Messages = Shape<typeof zhCN>;
