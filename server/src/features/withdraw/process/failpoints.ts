/** Named points at which the fault run kills the process. Withdrawals must still end correctly. */
export const failpoints = [
  'requested',
  'accepted',
  'held',
  'checked',
  'claimed',
  'answered',
  'settled',
  'adopted',
] as const;
export type Failpoint = (typeof failpoints)[number];

/** Called at each failpoint. The service passes none. */
export type OnFailpoint = (failpoint: Failpoint) => void | Promise<void>;

export const noFailpoint: OnFailpoint = () => {};
