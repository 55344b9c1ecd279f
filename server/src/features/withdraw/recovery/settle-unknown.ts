import type { Receipt } from '../../../integrations/gm-command.ts';
import type { ZoneDriver } from '../../../integrations/zone-driver.ts';
import type { Log } from '../../../logging/log.ts';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { WithdrawDeps } from '../deps.ts';
import type { Move, UnknownWithdrawal, WithdrawStore } from '../store/store.ts';
import { type Withdrawal, withAddressesOf } from '../withdrawal.ts';
import { INTERVAL_MS } from './recover.ts';

export interface SettleDeps
  extends Pick<WithdrawDeps, 'reports' | 'drivers' | 'zoneOf' | 'settings' | 'actor' | 'moved'> {
  readonly store: Pick<WithdrawStore, 'move'>;
  readonly log: Pick<Log, 'warn'>;
}

export type SettleUnknown = (withdrawal: Withdrawal, ageMs: number) => Promise<boolean>;

/** Settles an unknown withdrawal if there is proof of its outcome. Otherwise it is left to the operator. */
export function settleUnknown(deps: SettleDeps): SettleUnknown {
  const { store, drivers, zoneOf, settings, actor, moved } = deps;

  return async (withdrawal, ageMs) => {
    const zone = zoneOf(withdrawal.serverId);
    if (!zone) return false;
    const driver = drivers(withAddressesOf(withdrawal, zone));
    const finding =
      (await byReceipt(deps, driver, withdrawal, ageMs)) ??
      (settings.current.withdraw.resolve_by_balance
        ? await byBalance(deps, driver, withdrawal, ageMs)
        : undefined);
    if (!finding) return false;
    const settled = await store.move(withdrawal, { ...settlingMove(finding), actor });
    if (settled) moved(finding.to);
    return settled;
  };
}

async function byReceipt(
  { settings, log }: SettleDeps,
  { receipt }: ZoneDriver,
  withdrawal: Withdrawal,
  ageMs: number,
): Promise<Finding | undefined> {
  if (!receipt) return undefined;
  const { id, amount } = withdrawal;
  const found = await receipt(id);
  const proof = receiptProof(found, withdrawal, { settings: settings.current, ageMs });
  if (typeof proof !== 'string') return proof;
  if (found.kind === 'executed') log.warn({ withdraw_id: id, amount, receipt: found.amount }, proof);
  return undefined;
}

/** Takes an exact balance as proof, if the operator enabled this and nothing else can have changed the balance. */
async function byBalance(
  { settings, reports }: SettleDeps,
  driver: ZoneDriver,
  { id, roleId, amount, balanceBefore }: Withdrawal,
  ageMs: number,
): Promise<Finding | undefined> {
  const isSaved = ageMs > settings.current.zones.save_interval * 1000;
  if (roleId === null || balanceBefore === null || !isSaved || !isPast(settings.current, ageMs))
    return undefined;
  const claimed = (await reports.events(id)).findLast((event) => event.to_state === 'sending');
  const { recent, online } = JSON.parse(claimed?.detail ?? '{}') as { recent?: number; online?: boolean };
  if (recent !== 0 || online !== false) return undefined;
  const now = await driver.balance(roleId);
  if (now?.online !== false) return undefined;
  const detail = { before: balanceBefore, now: now.balance };
  if (now.balance === balanceBefore - amount) return { to: 'done', why: 'balance: taken', detail };
  if (now.balance === balanceBefore) return { to: 'failed', why: 'balance: untouched', detail };
  return undefined;
}

export interface BackoffOptions {
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
export function settleWithBackoff({ settle, store, stopping, log }: BackoffOptions): () => Promise<void> {
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
