/** The settings that operators may override for a time. */
export const controlNames = ['day_max_reg', 'withdraw.enabled'] as const;

export type ControlName = (typeof controlNames)[number];
