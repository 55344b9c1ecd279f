/** The moments at which a process may die and everything must still come right. */
export const steps = [
  'asked',
  'accepted',
  'held',
  'checked',
  'claimed',
  'answered',
  'settled',
  'adopted',
] as const;
export type Step = (typeof steps)[number];

/** Called at each step. The service passes none; the fault run ends the process there. */
export type AtStep = (step: Step) => void | Promise<void>;

export const noStep: AtStep = () => {};
