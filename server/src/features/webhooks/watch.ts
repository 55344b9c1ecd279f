import type { WebhookEventType } from '@gatehouse/contract/admin';
import type { Enqueue } from '../../db/outbox.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Log } from '../../logging/log.ts';
import { type Job, type Lease, startJob } from '../../runtime/job.ts';
import { timeText } from '../../runtime/time.ts';
import type { WatchStore } from './watch-store.ts';

export interface WatchedZone {
  readonly serverId: number;
  readonly name: string;
  /** Whether it should answer and does not. */
  readonly isDown: boolean;
  /** Whether its game port answered the last check. */
  readonly answers: boolean;
}

export interface WatchDeps {
  readonly store: WatchStore;
  readonly enqueue: Enqueue;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
  readonly isWanted: (type: WebhookEventType) => boolean;
  readonly zones: () => readonly WatchedZone[];
  /** Returns the failed checks of `gatehouse doctor`. */
  readonly failing: () => Promise<readonly { readonly check: string; readonly detail: string }[]>;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
}

const INTERVAL_MS = 10_000;
const LOGINS_EVERY_MS = 60_000;
const DOCTOR_EVERY_MS = 10 * 60_000;
/** Rows can become visible slightly late. */
const SETTLED_MS = 3000;
/** Failed logins from before an event was wanted are not reported. */
const MAX_SPAN_MS = 5 * 60_000;

/** Compares what can be observed with what was reported last, and queues the difference. */
export function watch(deps: WatchDeps) {
  const { store, enqueue, transaction, isWanted, zones, failing } = deps;
  const elapsed = deps.elapsed ?? (() => performance.now());
  let suspected = new Set<number>();
  const lastRun = new Map<string, number>();

  function isTime(name: string, everyMs: number): boolean {
    const last = lastRun.get(name);
    if (last !== undefined && elapsed() - last < everyMs) return false;
    lastRun.set(name, elapsed());
    return true;
  }

  /** Reports a zone as down if two rounds in succession found it so. */
  async function watchZones(): Promise<void> {
    const all = new Map(zones().map((zone) => [zone.serverId, zone]));
    const down = [...all.values()].filter(({ isDown }) => isDown);
    const confirmed = down.filter(({ serverId }) => suspected.has(serverId));
    suspected = new Set(down.map(({ serverId }) => serverId));
    const now = await store.now();
    await transaction(async (trx) => {
      const before = await store.read('zone.down', trx);
      const since: Record<string, number> = JSON.parse(before ?? '{}');
      for (const { serverId, name } of confirmed)
        if (since[serverId] === undefined) {
          since[serverId] = now;
          await enqueue(trx, { type: 'zone.down', data: { server_id: serverId, name } });
        }
      for (const [id, downSince] of Object.entries(since)) {
        const zone = all.get(Number(id));
        if (zone && !zone.answers) continue;
        delete since[id];
        if (!zone) continue;
        const data = { server_id: zone.serverId, name: zone.name, down_since: timeText(downSince) };
        await enqueue(trx, { type: 'zone.up', data });
      }
      const after = JSON.stringify(since);
      if (after !== (before ?? '{}')) await store.replace(trx, 'zone.down', before, after);
    });
  }

  /** Reports the failed logins since the last report as one event. */
  async function watchLogins(): Promise<void> {
    const to = (await store.now()) - SETTLED_MS;
    await transaction(async (trx) => {
      const before = await store.read('operator.login_failed', trx);
      const from = Math.max(Number(before ?? to), to - MAX_SPAN_MS);
      const operators = await store.failedLogins(trx, from, to);
      const count = operators.reduce((sum, each) => sum + each.count, 0);
      if (count > 0)
        await enqueue(trx, {
          type: 'operator.login_failed',
          data: { count, from: timeText(from), to: timeText(to), operators },
        });
      await store.replace(trx, 'operator.login_failed', before, String(to));
    });
  }

  /** Reports all failing checks if one of them is new. */
  async function watchDoctor(): Promise<void> {
    const found = await failing();
    await transaction(async (trx) => {
      const before = await store.read('doctor.failing', trx);
      const reported: string[] = JSON.parse(before ?? '[]');
      const checks = found.map(({ check }) => check).sort();
      if (JSON.stringify(checks) === (before ?? '[]')) return;
      if (checks.some((check) => !reported.includes(check)))
        await enqueue(trx, {
          type: 'doctor.failing',
          data: { failing: found.map(({ check, detail }) => ({ check, detail })) },
        });
      await store.replace(trx, 'doctor.failing', before, JSON.stringify(checks));
    });
  }

  return async (): Promise<void> => {
    if (isWanted('zone.down') || isWanted('zone.up')) await watchZones();
    if (isWanted('operator.login_failed') && isTime('logins', LOGINS_EVERY_MS)) await watchLogins();
    if (isWanted('doctor.failing') && isTime('doctor', DOCTOR_EVERY_MS)) await watchDoctor();
  };
}

/** Watches on one instance at a time, so that instances that see different things do not contradict each other. */
export function startWatchJob({
  lease,
  log,
  succeeded,
  ...deps
}: WatchDeps & {
  readonly lease: Lease;
  readonly log: Pick<Log, 'warn'>;
  readonly succeeded: () => void;
}): Job {
  return startJob({
    lease,
    intervalMs: INTERVAL_MS,
    firstAfterMs: INTERVAL_MS,
    work: watch(deps),
    succeeded,
    failed: (error) =>
      log.warn({ err: error }, 'zones and logins could not be watched for webhooks; retried'),
  });
}
