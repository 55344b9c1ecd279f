import type { ZoneDrivers } from '../../../integrations/zone-driver.ts';
import { forEachConcurrent } from '../../../runtime/for-each-concurrent.ts';
import type { Zone } from '../../zones/store.ts';
import type { ReportStore, StateSum } from '../store/report-store.ts';
import type { Withdrawal, ZoneReport } from '../withdrawal.ts';

/** Receipts requested at the same time. */
const RECEIPT_CONCURRENCY = 4;

export interface ReconcileParts {
  readonly reports: ReportStore;
  readonly drivers: ZoneDrivers;
  readonly zoneOf: (serverId: number) => Zone | undefined;
}

export interface Span {
  readonly since: number;
  readonly until: number;
}

const PAGE = 500;

/** Compares the database with the zones' receipts. Fails if `mayGoOn` returns false between two receipts. */
export function reconcile({ reports, drivers, zoneOf }: ReconcileParts) {
  return async (span: Span, mayGoOn: () => Promise<boolean> = async () => true): Promise<ZoneReport[]> => {
    const sums = await reports.sums(span.since, span.until);
    const zones = [...new Set(sums.map(({ serverId }) => serverId))].sort((a, b) => a - b);
    const lines: ZoneReport[] = [];
    for (const serverId of zones)
      lines.push({ ...countsOf(serverId, sums), ...(await drift(serverId, span, mayGoOn)) });
    return lines;
  };

  async function drift(
    serverId: number,
    span: Span,
    mayGoOn: () => Promise<boolean>,
  ): Promise<Pick<ZoneReport, 'receipts' | 'drift'>> {
    const zone = zoneOf(serverId);
    const receipt = zone && drivers(zone).receipt;
    if (!receipt) return { receipts: 0, drift: null };
    let receipts = 0;
    let difference = 0;

    async function check({ id, state, amount }: Withdrawal): Promise<void> {
      if (!(await mayGoOn())) throw new Error('interrupted');
      const found = await receipt?.(id);
      if (!found || found.kind === 'unreadable') return;
      receipts += 1;
      difference += (found.kind === 'executed' ? found.amount : 0) - (state === 'done' ? amount : 0);
    }
    for (let after = ''; ; ) {
      const page = await reports.sent(serverId, span, after, PAGE);
      await forEachConcurrent(page, RECEIPT_CONCURRENCY, check);
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last.id;
    }
    return { receipts, drift: receipts === 0 ? null : difference };
  }
}

function countsOf(serverId: number, sums: readonly StateSum[]): Omit<ZoneReport, 'receipts' | 'drift'> {
  const of = (state: StateSum['state']) =>
    sums.find((sum) => sum.serverId === serverId && sum.state === state) ?? { count: 0, amount: 0 };
  return {
    server_id: serverId,
    done: of('done').count,
    done_amount: of('done').amount,
    refused: of('refused').count,
    failed: of('failed').count,
    open: of('accepted').count + of('sending').count,
    unknown: of('unknown').count,
    unknown_amount: of('unknown').amount,
  };
}
