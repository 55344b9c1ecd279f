/** Named points at which the fault run kills the process; everything must still come right. */
export const failpoints = [
  'asked',
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
