import type { KeptZoneReport, ReconciliationStore } from '../store/reconciliation-store.ts';

export interface NightlyReportParts {
  readonly kept: Pick<ReconciliationStore, 'ofDay'>;
  readonly timeZone: string;
}

/** Returns the nightly report of a day, by zone. */
export function nightlyReport({ kept, timeZone }: NightlyReportParts) {
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
