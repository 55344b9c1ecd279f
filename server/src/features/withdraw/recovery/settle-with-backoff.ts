import type { Log } from '../../../logging/log.ts';
import { forEachConcurrent } from '../../../runtime/for-each-concurrent.ts';
import type { OpenQuestion, WithdrawStore } from '../store/store.ts';
import { INTERVAL_MS } from './recovery-job.ts';
import type { SettleUnknown } from './settle-unknown.ts';

export interface BackoffParts {
  readonly settle: SettleUnknown;
  readonly store: WithdrawStore;
  readonly stopping: () => boolean;
  readonly log: Pick<Log, 'warn'>;
}

/** Of one zone in one round: a zone that answers nothing must not keep the others waiting for long. */
const MAX_PER_ZONE = 20;
const ZONE_CONCURRENCY = 4;
const SLOWEST_MS = 60_000;

/**
 * Looks into the unknown withdrawals, zone by zone, and into each less and less often, so that a zone without an answer
 * is not hammered.
 */
export function settleWithBackoff({ settle, store, stopping, log }: BackoffParts): () => Promise<void> {
  let waits = new Map<string, { readonly until: number; readonly ms: number }>();
  const dueAt = ({ withdrawal }: OpenQuestion) => waits.get(withdrawal.id)?.until ?? 0;

  async function ask({ withdrawal, ageMs }: OpenQuestion): Promise<void> {
    if (stopping()) return;
    const { id } = withdrawal;
    const ms = Math.min(SLOWEST_MS, 2 * (waits.get(id)?.ms ?? INTERVAL_MS / 2));
    waits.set(id, { until: performance.now() + ms, ms });
    await settle(withdrawal, ageMs).catch((error) =>
      log.warn({ err: error, withdraw_id: id }, 'an unknown withdrawal could not be looked into'),
    );
  }

  return async () => {
    const open = await store.unknown();
    const ids = new Set(open.map(({ withdrawal }) => withdrawal.id));
    waits = new Map([...waits].filter(([id]) => ids.has(id)));
    const now = performance.now();
    const due = open.filter((each) => dueAt(each) <= now).sort((a, b) => dueAt(a) - dueAt(b));
    const zones = Map.groupBy(due, ({ withdrawal }) => withdrawal.serverId);
    await Promise.all(
      [...zones.values()].map((ofOne) =>
        forEachConcurrent(ofOne.slice(0, MAX_PER_ZONE), ZONE_CONCURRENCY, ask),
      ),
    );
  };
}
