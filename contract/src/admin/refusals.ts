/** Refusals that only operators get: stable code and HTTP status. */
export const operatorRefusals = {
  permission_denied: 403,
  totp_required: 403,
  withdraw_not_found: 404,
  operator_not_found: 404,
  promoter_not_found: 404,
  operator_taken: 409,
  second_person_required: 409,
  withdraw_settled: 409,
  zone_has_open_withdrawals: 409,
  would_lock_out: 422,
  file_refused: 422,
} as const;

export type OperatorRefusalCode = keyof typeof operatorRefusals;
