import type { Problem, RefusalCode } from '@gatehouse/contract';

/** A problem with one field: a key of the texts and its parameters. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

export interface RefusalDetails {
  readonly errors?: readonly FieldProblem[];
  /** Selects a more specific text than the code's own: `detail` of `code.variant`. */
  readonly variant?: string;
  /** Values for the placeholders in the text. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly retryAfter?: number;
  /** The throttle that refused, for the log only. */
  readonly throttle?: string;
  readonly allow?: readonly string[];
  /** Members of the problem in addition to the common ones. */
  readonly extra?: Partial<Pick<Problem, 'withdraw_id' | 'reason' | 'until' | 'challenge' | 'account'>>;
}

/** The only error that rules throw. Its codes are a closed set; http/ has their texts and renders them. */
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

/** Returns a refusal caused by one field. */
export function refuseField(code: RefusalCode, field: string, details: RefusalDetails = {}): Refusal {
  const message = details.variant ? `${code}.${details.variant}` : code;
  const params = details.params ? { params: details.params } : {};
  return new Refusal(code, { ...details, errors: [{ field, message, ...params }] });
}

/** Returns a refusal of an invalid field. The message is a key of the texts for fields. */
export function refuseInput(field: string, message: string, params?: FieldProblem['params']): Refusal {
  return new Refusal('invalid_request', { errors: [{ field, message, ...(params && { params }) }] });
}
