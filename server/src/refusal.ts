import type { Problem, RefusalCode } from '@gatehouse/contract';

/** What is wrong with one field: a key of the texts, with what it talks about. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

export interface RefusalDetails {
  /** Which fields are at fault. */
  readonly errors?: readonly FieldProblem[];
  /** Picks a more telling text than the code's own: `detail` of `code.variant`. */
  readonly variant?: string;
  /** Fills the placeholders of the text. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly retryAfter?: number;
  /** The throttle that spoke; for the log alone. */
  readonly throttle?: string;
  readonly allow?: readonly string[];
  /** Members the problem carries beside the uniform ones. */
  readonly extra?: Partial<Pick<Problem, 'withdraw_id' | 'reason' | 'until' | 'challenge' | 'account'>>;
}

/** The one error that rules throw: a closed set of codes; http/ has their texts and renders them. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }
}

/** A refusal whose fault lies in one field. */
export function refuseField(code: RefusalCode, field: string, details: RefusalDetails = {}): Refusal {
  const message = details.variant ? `${code}.${details.variant}` : code;
  const params = details.params ? { params: details.params } : {};
  return new Refusal(code, { ...details, errors: [{ field, message, ...params }] });
}
