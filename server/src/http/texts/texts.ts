import type { RefusalCode } from '@gatehouse/contract';

/** Every word a refusal says, in one language. */
export interface Texts {
  readonly refusals: Readonly<Record<RefusalCode, readonly [title: string, detail: string]>>;
  /** More telling details, by `code.variant`. */
  readonly variants: Readonly<Record<string, string>>;
  /** What may be wrong with a field. */
  readonly fields: Readonly<Record<string, string>>;
}
