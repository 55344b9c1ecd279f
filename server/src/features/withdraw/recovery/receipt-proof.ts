import type { Receipt } from '../../../integrations/gm-command.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Move } from '../store/store.ts';
import type { Withdrawal } from '../withdrawal.ts';

/** Proof of how an unknown withdrawal ended. */
export type Finding = Pick<Move, 'to' | 'why' | 'detail'>;

/** Returns the move by which a finding settles an unknown withdrawal. */
export const settlingMove = (finding: Finding) => ({
  ...finding,
  from: 'unknown' as const,
  ...(finding.to === 'failed' && { resultCode: 'deduction_refused' as const }),
});

/** Reports whether the command is old enough that "not executed" is proof. A slow game may still execute a recent one. */
export function isPast({ gm }: Settings, ageMs: number): boolean {
  return ageMs > (gm.receipt_after + gm.timeout) * 1000;
}

/** Returns what a receipt proves, or the reason why it proves nothing. */
export function receiptProof(
  receipt: Receipt,
  { amount }: Pick<Withdrawal, 'amount'>,
  { settings, ageMs }: { settings: Settings; ageMs: number },
): Finding | string {
  const detail = receipt.exchange;
  switch (receipt.kind) {
    case 'executed':
      return receipt.amount === amount
        ? { to: 'done', why: 'receipt: executed', detail }
        : 'a receipt has another amount';
    case 'not_executed':
      return isPast(settings, ageMs)
        ? { to: 'failed', why: 'receipt: not executed', detail }
        : 'not executed yet; too early to be believed';
    case 'unreadable':
      return receipt.why;
  }
}
