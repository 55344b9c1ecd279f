import type { Actor } from '../../audit/entry.ts';
import { auditedMove } from './receipt.ts';
import type { WithdrawAdminDeps } from './repoint.ts';

const PAGE = 500;
/** Covers transactions that were under way during the backup, and clocks that differ. */
const MARGIN_MS = 60_000;

/**
 * Prepares a restored database, before the service starts on it. A withdrawal that was accepted or being sent when the backup was
 * made may have been executed since: it becomes unknown, so that recovery neither sends it again nor refuses it.
 */
export function markRestored(deps: Pick<WithdrawAdminDeps, 'store' | 'audit' | 'lists'>) {
  const { lists } = deps;
  const move = auditedMove(deps);
  return async (actor: Actor, { reason }: { reason: string }) => {
    const [newest] = await lists.list({}, { limit: 1 });
    /** The withdrawals that were open when the backup was made. */
    const marked: string[] = [];
    for (const state of ['accepted', 'sending'] as const)
      for (let after: { createdAt: number; id: string } | undefined; ; ) {
        const page = await lists.list({ states: [state] }, { limit: PAGE, after });
        for (const withdrawal of page) {
          const why = 'open when the backup was made';
          const order = { from: state, to: 'unknown', why, action: 'withdraw.restored', reason } as const;
          if ((await move(actor, withdrawal, order)) !== undefined) marked.push(withdrawal.id);
        }
        after = page.at(-1);
        if (page.length < PAGE) break;
      }
    // Withdrawals that the backup does not have are of this time or later. Undefined if it has none at all.
    return { marked, compareFrom: newest && newest.createdAt - MARGIN_MS };
  };
}
