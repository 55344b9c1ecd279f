import type { Log } from '../../../logging/log.ts';
import { forEachConcurrent } from '../../../runtime/for-each-concurrent.ts';
import type { UnknownWithdrawal, WithdrawStore } from '../store/store.ts';
import { INTERVAL_MS } from './recovery-job.ts';
import type { SettleUnknown } from './settle-unknown.ts';

export interface BackoffParts {
  readonly settle: SettleUnknown;
  readonly store: WithdrawStore;
  readonly stopping: () => boolean;
  readonly log: Pick<Log, 'warn'>;
}

/** Upper bound per zone and round: a zone that does not answer must not delay the others. */
const MAX_PER_ZONE = 20;
const ZONE_CONCURRENCY = 4;
const MAX_BACKOFF_MS = 60_000;

/**
 * Tries to settle the unknown withdrawals, by zone, each with exponential backoff, so that an unresponsive zone is not
 * overloaded.
 */
export function settleWithBackoff({ settle, store, stopping, log }: BackoffParts): () => Promise<void> {
  let backoffs = new Map<string, { readonly until: number; readonly ms: number }>();
  const dueAt = ({ withdrawal }: UnknownWithdrawal) => backoffs.get(withdrawal.id)?.until ?? 0;

  async function settleOne({ withdrawal, ageMs }: UnknownWithdrawal): Promise<void> {
    if (stopping()) return;
    const { id } = withdrawal;
    const ms = Math.min(MAX_BACKOFF_MS, 2 * (backoffs.get(id)?.ms ?? INTERVAL_MS / 2));
    backoffs.set(id, { until: performance.now() + ms, ms });
    await settle(withdrawal, ageMs).catch((error) =>
      log.warn({ err: error, withdraw_id: id }, 'an unknown withdrawal could not be checked'),
    );
  }

  return async () => {
    const open = await store.unknown();
    const ids = new Set(open.map(({ withdrawal }) => withdrawal.id));
    backoffs = new Map([...backoffs].filter(([id]) => ids.has(id)));
    const now = performance.now();
    const due = open.filter((each) => dueAt(each) <= now).sort((a, b) => dueAt(a) - dueAt(b));
    const zones = Map.groupBy(due, ({ withdrawal }) => withdrawal.serverId);
    await Promise.all(
      [...zones.values()].map((zoneWithdrawals) =>
        forEachConcurrent(zoneWithdrawals.slice(0, MAX_PER_ZONE), ZONE_CONCURRENCY, settleOne),
      ),
    );
  };
}
