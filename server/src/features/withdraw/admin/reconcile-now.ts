import type { Actor } from '../../audit/entry.ts';
import { reconcile } from '../recovery/reconcile.ts';
import { settleUnknown } from '../recovery/settle-unknown.ts';
import type { KeptZoneReport, ReconciliationStore } from '../store/reconciliation-store.ts';
import type { ZoneReport } from '../withdrawal.ts';
import { auditedMove } from './receipt.ts';
import type { WithdrawAdminDeps } from './repoint.ts';

/** Queries the zones about every unknown withdrawal, settles those with proof, then reconciles the database with the zones. */
export function reconcileNow({ zones, ...deps }: WithdrawAdminDeps) {
  const { store, log } = deps;
  const move = auditedMove(deps);
  return async (actor: Actor, { since }: { since: number }): Promise<ZoneReport[]> => {
    const known = await zones();
    const reconcileParts = {
      ...deps,
      zoneOf: (serverId: number) => known.find((zone) => zone.serverId === serverId),
    };
    const settle = settleUnknown({
      ...reconcileParts,
      store: {
        async move(withdrawal, found) {
          const order = { ...found, action: 'withdraw.receipt', reason: found.why } as const;
          return (await move(actor, withdrawal, order)) !== undefined;
        },
      },
      actor: `operator:${actor.name}`,
      moved: () => {},
    });
    for (const { withdrawal, ageMs } of await store.unknown())
      await settle(withdrawal, ageMs).catch((err) =>
        log.warn({ withdraw_id: withdrawal.id, err }, 'an unknown withdrawal could not be checked'),
      );
    return reconcile(reconcileParts)({ since, until: Number.MAX_SAFE_INTEGER });
  };
}

export interface NightlyReportDeps {
  readonly kept: Pick<ReconciliationStore, 'ofDay'>;
  readonly timeZone: string;
}

/** Returns the nightly report of a day, by zone. */
export function nightlyReport({ kept, timeZone }: NightlyReportDeps) {
  const yesterday = () => Temporal.Now.plainDateISO(timeZone).subtract({ days: 1 }).toString();
  return async ({
    day = yesterday(),
    zones,
  }: {
    day?: string | undefined;
    zones: readonly number[] | null;
  }): Promise<KeptZoneReport[]> => {
    const lines = await kept.ofDay(day);
    return zones === null ? lines : lines.filter(({ server_id }) => zones.includes(server_id));
  };
}
