import type { ZoneDrivers } from '../../../integrations/zone-driver.ts';
import type { Log } from '../../../logging/log.ts';
import { Refusal } from '../../../refusal.ts';
import { maskUrl } from '../../../security/masking.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { Zone } from '../../zones/store.ts';
import type { ListStore } from '../store/list-store.ts';
import type { ReportStore } from '../store/report-store.ts';
import type { ReadWithdrawal, SettleStore } from '../store/settle-store.ts';
import type { WithdrawStore } from '../store/store.ts';
import { isFinal, type Withdrawal } from '../withdrawal.ts';

/** Dependencies of the operators' rules. */
export interface WithdrawAdminDeps {
  readonly store: WithdrawStore;
  readonly settling: SettleStore;
  readonly reports: ReportStore;
  readonly lists: ListStore;
  readonly audit: AuditStore;
  readonly drivers: ZoneDrivers;
  readonly zones: () => Promise<readonly Zone[]>;
  readonly settings: LiveSettings;
  readonly moved: (state: Withdrawal['state']) => void;
  readonly log: Pick<Log, 'warn'>;
}

/** A withdrawal as an operator names it. */
export interface OperatorsWithdrawal {
  readonly id: string;
  /** The zones the operator is limited to; null or undefined for all. */
  readonly zones?: readonly number[] | null | undefined;
}

/** Refuses a withdrawal of another zone as if it did not exist. */
export function requireOwn<W extends Pick<Withdrawal, 'serverId'>>(
  withdrawal: W | undefined,
  { zones }: OperatorsWithdrawal,
): W {
  if (!withdrawal || (zones && !zones.includes(withdrawal.serverId))) throw new Refusal('withdraw_not_found');
  return withdrawal;
}

/** Refuses withdrawals that an operator cannot settle: settled ones, and those a process is still working on. */
export function requireUnknown(
  read: ReadWithdrawal | undefined,
  wanted: OperatorsWithdrawal,
): ReadWithdrawal {
  const { state } = requireOwn(read?.withdrawal, wanted);
  if (isFinal(state)) throw new Refusal('withdraw_settled');
  if (state !== 'unknown') throw new Refusal('withdraw_in_progress', { variant: 'operator' });
  return read as ReadWithdrawal;
}

export interface Repointing extends OperatorsWithdrawal {
  readonly gmUrl: string;
  readonly reason: string;
}

/** Changes the GM interface that is queried for an unknown withdrawal's receipt. Returns the id of the audit row. */
export function repointWithdrawal({ settling, audit }: WithdrawAdminDeps) {
  return (actor: Actor, { gmUrl, reason, ...wanted }: Repointing): Promise<string> =>
    audit.transaction(actor, async (trx, append) => {
      const { withdrawal } = requireUnknown(await settling.read(wanted.id, trx), wanted);
      const { id, serverId } = withdrawal;
      const before = { gm_url: withdrawal.gmUrl && maskUrl(withdrawal.gmUrl) };
      const after = { gm_url: maskUrl(gmUrl) };
      await settling.repoint(trx, withdrawal, gmUrl, {
        actor: `operator:${actor.name}`,
        detail: { ...after, reason },
      });
      const subject = { kind: 'withdraw', id };
      return append({ action: 'withdraw.repoint', subject, serverId, reason, before, after });
    });
}
