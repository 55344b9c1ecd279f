import type { ZoneDriver, ZoneDrivers } from '../../../integrations/zone-driver.ts';
import type { Log } from '../../../logging/log.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import type { Zone } from '../../zones/store.ts';
import type { ReportStore } from '../store/report-store.ts';
import type { Move, WithdrawStore } from '../store/store.ts';
import type { Withdrawal } from '../withdrawal.ts';

export interface SettleParts {
  readonly store: Pick<WithdrawStore, 'move'>;
  readonly reports: ReportStore;
  readonly drivers: ZoneDrivers;
  /** Also a zone that is closed by now: its withdrawals are still to be settled. */
  readonly zoneOf: (serverId: number) => Zone | undefined;
  readonly settings: LiveSettings;
  readonly actor: string;
  readonly moved: (state: Withdrawal['state']) => void;
  readonly log: Pick<Log, 'warn'>;
}

export type SettleUnknown = (withdrawal: Withdrawal, ageMs: number) => Promise<boolean>;

type Finding = Pick<Move, 'to' | 'why' | 'detail'>;

/** Settles an unknown withdrawal where there is proof of its outcome; otherwise it stays for the operator. */
export function settleUnknown(parts: SettleParts): SettleUnknown {
  const { store, drivers, zoneOf, settings, actor, moved } = parts;

  return async (withdrawal, ageMs) => {
    const zone = zoneOf(withdrawal.serverId);
    if (!zone) return false;
    const driver = drivers(zone);
    const finding =
      (await byReceipt(parts, driver, withdrawal, ageMs)) ??
      (settings.current.withdraw.resolve_by_balance
        ? await byBalance(parts, driver, withdrawal, ageMs)
        : undefined);
    if (!finding) return false;
    const settled = await store.move(withdrawal, {
      ...finding,
      from: 'unknown',
      actor,
      ...(finding.to === 'failed' && { resultCode: 'deduction_refused' }),
    });
    if (settled) moved(finding.to);
    return settled;
  };
}

async function byReceipt(
  { settings, log }: SettleParts,
  { receipt }: ZoneDriver,
  { id, amount }: Withdrawal,
  ageMs: number,
): Promise<Finding | undefined> {
  if (!receipt) return undefined;
  const found = await receipt(id);
  const detail = found.exchange;
  if (found.kind === 'executed') {
    if (found.amount === amount) return { to: 'done', why: 'receipt: executed', detail };
    log.warn({ withdraw_id: id, amount, receipt: found.amount }, 'a receipt has another amount');
  }
  return found.kind === 'not_executed' && isPast(settings, ageMs)
    ? { to: 'failed', why: 'receipt: not executed', detail }
    : undefined;
}

/** A slow game may still get to it: that it has not is proof only when the command is long past. */
function isPast(settings: LiveSettings, ageMs: number): boolean {
  const { receipt_after, timeout } = settings.current.gm;
  return ageMs > (receipt_after + timeout) * 1000;
}

/** Takes an exact balance as proof, where the operator chose so and nothing else can have moved it. */
async function byBalance(
  { settings, reports }: SettleParts,
  driver: ZoneDriver,
  { id, roleId, amount, balanceBefore }: Withdrawal,
  ageMs: number,
): Promise<Finding | undefined> {
  const isSaved = ageMs > settings.current.zones.save_interval * 1000;
  if (roleId === null || balanceBefore === null || !isSaved || !isPast(settings, ageMs)) return undefined;
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
