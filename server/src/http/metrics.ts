import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { requestTimes } from './request-times.ts';
import { metricsOfAll } from './worker-metrics.ts';

/** What the service counts. Passed around as one object; a registry each, so that several can live in one process. */
export function createMetrics({ isWorker }: { isWorker: boolean }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' });
  // Gauges called like counters, of which `promtool check metrics` complains; each has a like by kind.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`gatehouse_nodejs_active_${name}_total`);
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `gatehouse_${name}`, help, labelNames, registers: [registry] });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    // What the database says is the same in every worker.
    new Gauge({ name: `gatehouse_${name}`, help, labelNames, registers: [registry], aggregator: 'max' });
  const openWithdrawals = gauge('withdrawals_open', 'Withdrawals that are not settled, by state', ['state']);
  const unknownWithdrawals = gauge('withdrawals_unknown', 'Withdrawals that want an operator', []);
  const reconciled = gauge('withdrawals_reconciled', 'Last nightly reconciliation, per zone', [
    'server_id',
    'figure',
  ]);

  return {
    contentType: registry.contentType,
    text: isWorker ? metricsOfAll(registry) : () => registry.metrics(),
    observeRequest: requestTimes(registry),
    refusals: counter('refusals_total', 'Refused requests by code', ['code']),
    malformed: counter('malformed_requests_total', 'Connections that did not speak HTTP', ['reason']),
    retired: counter('retired_hits_total', 'Hits on retired entry points', ['entry']),
    withdrawals: counter('withdrawals_total', 'Withdrawals that entered a state', ['state']),
    setOpenWithdrawals(open: ReadonlyMap<string, number>): void {
      for (const state of ['accepted', 'sending', 'unknown'])
        openWithdrawals.set({ state }, open.get(state) ?? 0);
      unknownWithdrawals.set(open.get('unknown') ?? 0);
    },
    /** The figures of each zone's line that are numbers. */
    setReconciled(lines: readonly { readonly server_id: number }[]): void {
      reconciled.reset();
      for (const { server_id, ...figures } of lines)
        for (const [figure, value] of Object.entries(figures))
          if (typeof value === 'number') reconciled.set({ server_id, figure }, value);
    },
    historyDropped: counter('history_dropped_total', 'Logins that could not be recorded', []),
    throttled: counter('throttled_total', 'Refusals of a throttle', ['throttle']),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
