import type { ZoneDriver, ZoneDrivers } from '../../../integrations/zone-driver.ts';
import type { Log } from '../../../logging/log.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import type { Zone } from '../../zones/store.ts';
import type { ReportStore } from '../store/report-store.ts';
import type { WithdrawStore } from '../store/store.ts';
import { type Withdrawal, withAddressesOf } from '../withdrawal.ts';
import { type Finding, isPast, receiptProof, settlingMove } from './receipt-proof.ts';

export interface SettleParts {
  readonly store: Pick<WithdrawStore, 'move'>;
  readonly reports: ReportStore;
  readonly drivers: ZoneDrivers;
  /** Includes closed zones: their withdrawals still have to be settled. */
  readonly zoneOf: (serverId: number) => Zone | undefined;
  readonly settings: LiveSettings;
  readonly actor: string;
  readonly moved: (state: Withdrawal['state']) => void;
  readonly log: Pick<Log, 'warn'>;
}

export type SettleUnknown = (withdrawal: Withdrawal, ageMs: number) => Promise<boolean>;

/** Settles an unknown withdrawal if there is proof of its outcome. Otherwise it is left to the operator. */
export function settleUnknown(parts: SettleParts): SettleUnknown {
  const { store, drivers, zoneOf, settings, actor, moved } = parts;

  return async (withdrawal, ageMs) => {
    const zone = zoneOf(withdrawal.serverId);
    if (!zone) return false;
    const driver = drivers(withAddressesOf(withdrawal, zone));
    const finding =
      (await byReceipt(parts, driver, withdrawal, ageMs)) ??
      (settings.current.withdraw.resolve_by_balance
        ? await byBalance(parts, driver, withdrawal, ageMs)
        : undefined);
    if (!finding) return false;
    const settled = await store.move(withdrawal, { ...settlingMove(finding), actor });
    if (settled) moved(finding.to);
    return settled;
  };
}

async function byReceipt(
  { settings, log }: SettleParts,
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
  { settings, reports }: SettleParts,
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
