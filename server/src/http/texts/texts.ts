import type { RefusalCode } from '@gatehouse/contract';

/** All texts of refusals in one language. */
export interface Texts {
  readonly refusals: Readonly<Record<RefusalCode, readonly [title: string, detail: string]>>;
  /** More specific details, by `code.variant`. */
  readonly variants: Readonly<Record<string, string>>;
  /** Messages for invalid fields. */
  readonly fields: Readonly<Record<string, string>>;
}
