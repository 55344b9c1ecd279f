import type { PublicConfig, Role } from '@gatehouse/contract/player';
import type { AmountIssue } from '../i18n/messages.ts';

export type AmountRules = Pick<PublicConfig['withdraw'], 'min' | 'max' | 'step'>;

/** A role's balance including what is settling. */
export const totalOf = ({ balance, settling = 0 }: Role) => balance + settling;

/**
 * Returns the issue for which the service would refuse the amount. Steps count from zero, as in the service; `dayLeft` is null if
 * there is no daily limit or it is unknown.
 */
export function amountIssue(
  amount: number | null,
  rules: AmountRules,
  balance: number,
  dayLeft: number | null = null,
): AmountIssue | null {
  if (amount === null) return 'required';
  if (!Number.isSafeInteger(amount)) return 'malformed';
  if (amount < rules.min) return 'below_min';
  if (amount > rules.max) return 'above_max';
  if (amount % rules.step !== 0) return 'off_step';
  if (amount > balance) return 'above_balance';
  return dayLeft !== null && amount > dayLeft ? 'above_day' : null;
}

/** Returns amounts for quick buttons: the minimum, a quarter, a half and the maximum for this role. */
export function quickAmounts(rules: AmountRules, balance: number, dayLeft: number | null = null): number[] {
  const most = Math.min(rules.max, balance, dayLeft ?? Infinity);
  const onStep = (amount: number) => Math.floor(amount / rules.step) * rules.step;
  const least = Math.ceil(rules.min / rules.step) * rules.step;
  const wanted = [least, onStep(most / 4), onStep(most / 2), onStep(most)];
  return [...new Set(wanted.filter((amount) => amount >= least && amount <= most))].sort((a, b) => a - b);
}

/** Parses an integer as typed, with or without group separators. */
export function parseAmount(typed: string): number | null {
  const text = typed.normalize('NFKC').replace(/[\s,]/g, '');
  if (text === '') return null;
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}
