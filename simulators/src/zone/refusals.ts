/** Answers of the GM interface that deduct nothing. */
export const refusals = {
  unknown_operation: { result: 1, msg: 'unknown operation' },
  bad_sign: { result: 2, msg: 'bad sign' },
  wrong_server: { result: 3, msg: 'wrong server' },
  unknown_role: { result: 4, msg: 'unknown role' },
  bad_amount: { result: 5, msg: 'bad amount' },
  not_enough: { result: 6, msg: 'not enough yuanbao' },
  duplicate_order: { result: 7, msg: 'order already executed' },
  refused: { result: 8, msg: 'refused by the game server' },
} as const;

export type Refusal = keyof typeof refusals;
