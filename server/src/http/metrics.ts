import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { requestTimes } from './request-times.ts';
import { metricsOfAll } from './worker-metrics.ts';

/** Creates the service's metrics in a registry of their own, so that several can live in one process. */
export function createMetrics({ isWorker }: { isWorker: boolean }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' });
  // These gauges are named like counters, about which `promtool check metrics` complains. Each also exists broken down by type.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`gatehouse_nodejs_active_${name}_total`);
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `gatehouse_${name}`, help, labelNames, registers: [registry] });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    // Database figures are the same in every worker.
    new Gauge({ name: `gatehouse_${name}`, help, labelNames, registers: [registry], aggregator: 'max' });
  const openWithdrawals = gauge('withdrawals_open', 'Withdrawals that are not settled, by state', ['state']);
  const unknownWithdrawals = gauge('withdrawals_unknown', 'Withdrawals that want an operator', []);
  const reconciled = gauge('withdrawals_reconciled', 'Last nightly reconciliation, per zone', [
    'server_id',
    'figure',
  ]);

  const parkedDeliveries = gauge('webhook_deliveries_parked', 'Deliveries that are no longer tried', []);
  const oldestDelivery = gauge('webhook_oldest_pending_seconds', 'Age of the oldest event not delivered', []);

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
    /** Exports the numeric figures of each zone. */
    setReconciled(lines: readonly { readonly server_id: number }[]): void {
      reconciled.reset();
      for (const { server_id, ...figures } of lines)
        for (const [figure, value] of Object.entries(figures))
          if (typeof value === 'number') reconciled.set({ server_id, figure }, value);
    },
    historyDropped: counter('history_dropped_total', 'Logins that could not be recorded', []),
    webhookDeliveries: counter('webhook_deliveries_total', 'Attempts to deliver an event by outcome', [
      'outcome',
    ]),
    setWebhooks({ parked, oldestPendingMs }: { parked: number; oldestPendingMs: number }): void {
      parkedDeliveries.set(parked);
      oldestDelivery.set(oldestPendingMs / 1000);
    },
    throttled: counter('throttled_total', 'Refusals of a throttle', ['throttle']),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
