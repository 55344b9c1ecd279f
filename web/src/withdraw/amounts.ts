import type { PublicConfig, Role } from '@gatehouse/contract/player';
import type { AmountIssue } from '../i18n/messages.ts';

export type AmountRules = Pick<PublicConfig['withdraw'], 'min' | 'max' | 'step'>;

/** What a role has, with what is held back until the game has saved it. */
export const totalOf = ({ balance, settling = 0 }: Role) => balance + settling;

/**
 * What the service would refuse, found before the request is sent. Steps count from zero, as the service counts them;
 * `dayLeft` is null where the day has no limit, or it is not known.
 */
export function amountIssue(
  amount: number | null,
  rules: AmountRules,
  balance: number,
  dayLeft: number | null = null,
): AmountIssue | null {
  if (amount === null) return 'required';
  if (!Number.isSafeInteger(amount) || amount < 1) return 'malformed';
  if (amount < rules.min) return 'below_min';
  if (amount > rules.max) return 'above_max';
  if (amount % rules.step !== 0) return 'off_step';
  if (amount > balance) return 'above_balance';
  return dayLeft !== null && amount > dayLeft ? 'above_day' : null;
}

/** The amounts worth a button: the least, a quarter, a half and the most this role can take out. */
export function quickAmounts(rules: AmountRules, balance: number, dayLeft: number | null = null): number[] {
  const most = Math.min(rules.max, balance, dayLeft ?? Infinity);
  const onStep = (amount: number) => Math.floor(amount / rules.step) * rules.step;
  const least = Math.ceil(rules.min / rules.step) * rules.step;
  const wanted = [least, onStep(most / 4), onStep(most / 2), onStep(most)];
  return [...new Set(wanted.filter((amount) => amount >= least && amount <= most))].sort((a, b) => a - b);
}

/** A whole number as players type it, with or without group marks. */
export function parseAmount(typed: string): number | null {
  const text = typed.normalize('NFKC').replace(/[\s,]/g, '');
  if (text === '') return null;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
