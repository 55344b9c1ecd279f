import type { Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type MetricObject,
  Registry,
} from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import { withTimeout } from '../runtime/with-timeout.ts';
import { answerPrimary, answerWorkers, askPrimary, askWorker } from '../runtime/worker-ipc.ts';
import { outcomeCounter } from './outcomes.ts';
import { requestTimes } from './request-times.ts';

const READ_TIMEOUT_MS = 1000;

/** A GM call may take as long as `gm.timeout`, which is 5 s by default. */
const GM_SECONDS = [0.01, 0.05, 0.2, 0.5, 1, 2, 5, 10];

/** Creates the service's metrics in a separate registry, so that several can live in one process. */
export function createMetrics({ isWorker }: { isWorker: boolean }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' });
  // These gauges are named like counters, about which `promtool check metrics` complains. Each also exists broken down by type.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`gatehouse_nodejs_active_${name}_total`);
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `gatehouse_${name}`, help, labelNames, registers: [registry] });
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: L[] = [],
    // Database figures are the same in every worker.
    { aggregator = 'max', ...read }: Pick<GaugeConfiguration<L>, 'aggregator' | 'collect'> = {},
  ) => new Gauge({ name: `gatehouse_${name}`, help, labelNames, registers: [registry], aggregator, ...read });
  const openWithdrawals = gauge('withdrawals_open', 'Withdrawals that are not settled, by state', ['state']);
  const unknownWithdrawals = gauge('withdrawals_unknown', 'Withdrawals that want an operator');
  const unknownAmount = gauge('withdrawals_unknown_amount', 'Currency in withdrawals that want an operator');
  const oldestAge = gauge('withdrawals_unknown_oldest_age_seconds', 'How long the oldest of them waits');
  const oldestAmount = gauge('withdrawals_unknown_oldest_amount', 'Its amount');
  const gmFailing = gauge(
    'gm_failing_since_timestamp_seconds',
    'Since when the GM interface of a zone fails; absent while it works',
    ['server_id'],
  );
  const jobs = gauge('job_last_success_timestamp_seconds', 'When this job last ended without an error here', [
    'job',
  ]);
  const startedJobs = gauge('job_start_timestamp_seconds', 'When this job was started here', ['job']);
  const reconciled = gauge('withdrawals_reconciled', 'Last nightly reconciliation, per zone', [
    'server_id',
    'figure',
  ]);

  const parkedDeliveries = gauge('webhook_deliveries_parked', 'Deliveries that are no longer tried');
  const oldestDelivery = gauge('webhook_oldest_pending_seconds', 'Age of the oldest event not delivered');

  const gmCalls = counter('gm_calls_total', 'Calls of the GM interface of a zone, by outcome', [
    'server_id',
    'call',
    'outcome',
  ]);
  gauge('build_info', 'The running version, always 1', ['version']).set({ version: manifest.version }, 1);
  const outcomes = (name: string, help: string, label: string, values: string[], known: string[]) =>
    outcomeCounter(registry, { name: `gatehouse_${name}`, help, label, values, outcomes: known });
  const gmSeconds = new Histogram({
    name: 'gatehouse_gm_call_seconds',
    help: 'Time of calls of the GM interface of a zone',
    labelNames: ['server_id', 'call'],
    buckets: GM_SECONDS,
    registers: [registry],
  });

  /** Adds a gauge that is read at each scrape. Figures of several processes are added up. */
  function sumAtScrape<L extends string>(
    name: string,
    help: string,
    label: L,
    read: () => Readonly<Record<string, number>>,
  ): void {
    gauge(name, help, [label], {
      aggregator: 'sum',
      collect() {
        for (const [value, figure] of Object.entries(read()))
          this.set({ [label]: value } as Record<L, string>, figure);
      },
    });
  }
  const queues = new Map<string, () => number>();
  sumAtScrape('queue_length', 'What waits in a queue of this service', 'queue', () =>
    Object.fromEntries(Array.from(queues, ([queue, length]) => [queue, length()])),
  );

  return {
    contentType: registry.contentType,
    text: isWorker ? metricsOfAll(registry) : () => registry.metrics(),
    observeRequest: requestTimes(registry),
    refusals: counter('refusals_total', 'Refused requests by code', ['code']),
    malformed: counter('malformed_requests_total', 'Connections that did not speak HTTP', ['reason']),
    retired: counter('retired_hits_total', 'Hits on retired entry points', ['entry']),
    withdrawals: counter('withdrawals_total', 'Withdrawals that entered a state', ['state']),
    setOpenWithdrawals({ count, unknown }: OpenWithdrawals): void {
      for (const state of ['accepted', 'sending', 'unknown'])
        openWithdrawals.set({ state }, count.get(state) ?? 0);
      unknownWithdrawals.set(count.get('unknown') ?? 0);
      unknownAmount.set(unknown.amount);
      oldestAge.set(unknown.oldestAgeMs / 1000);
      oldestAmount.set(unknown.oldestAmount);
    },
    countLogin: outcomes(
      'logins_total',
      'Logins by kind and outcome',
      'kind',
      ['password', 'second_factor', 'forum', 'operator'],
      [
        'success',
        'invalid_credentials',
        'second_factor_required',
        'too_many_attempts',
        'account_suspended',
        'error',
      ],
    ),
    countCheck: outcomes(
      'checks_total',
      'Tokens that game servers presented, by format and outcome',
      'format',
      ['jwt', 'ticket', 'legacy'],
      ['success', 'invalid_token', 'too_many_attempts', 'account_suspended', 'error'],
    ),
    countRegistration: outcomes(
      'registrations_total',
      'Registrations by kind and outcome',
      'kind',
      ['mail', 'forum'],
      ['success', 'registration_cap_reached', 'invalid_code', 'too_many_attempts', 'error'],
    ),
    countMail: outcomes(
      'mails_total',
      'Mails by kind and outcome; unconfirmed ones may have arrived',
      'kind',
      ['code', 'notice'],
      ['sent', 'unconfirmed', 'failed', 'dropped'],
    ),
    observeGmCall({ serverId, call, outcome, seconds }: ObservedGmCall): void {
      gmCalls.inc({ server_id: serverId, call, outcome });
      // An open breaker rejects without a call.
      if (outcome !== 'rejected') gmSeconds.observe({ server_id: serverId, call }, seconds);
    },
    sumAtScrape,
    /** Exports how much waits in a queue. */
    watchQueue: (queue: string, length: () => number) => void queues.set(queue, length),
    /** Exports which zones answer, as 1 or 0. Zones in maintenance, closed or not probed yet are left out. */
    watchZones(zones: () => readonly WatchedZone[]): void {
      gauge('zone_up', 'Whether the game port of a zone answers: 1 or 0', ['server_id'], {
        collect() {
          this.reset();
          for (const { serverId, isDown, answers } of zones())
            if (isDown || answers) this.set({ server_id: serverId }, isDown ? 0 : 1);
        },
      });
    },
    gmBreaker: gauge('gm_breaker_open', 'Whether withdrawals of a zone fail without a call: 1 or 0', [
      'server_id',
    ]),
    setGmFailing(
      zones: readonly { readonly serverId: number; readonly gmFailingSince: number | null }[],
    ): void {
      gmFailing.reset();
      for (const { serverId, gmFailingSince } of zones)
        if (gmFailingSince !== null) gmFailing.set({ server_id: serverId }, gmFailingSince / 1000);
    },
    /** Returns a function to call when the job has succeeded. */
    job(job: string): () => void {
      startedJobs.set({ job }, Date.now() / 1000);
      return () => jobs.set({ job }, Date.now() / 1000);
    },
    /** Adds a gauge that is read at each scrape, and left out if it cannot be read. */
    readAtScrape(name: string, help: string, read: () => Promise<number>): void {
      gauge(name, help, [], {
        async collect() {
          const late = () => new Error(`${name} was not read in time`);
          await withTimeout(read(), READ_TIMEOUT_MS, late).then(
            (value) => this.set(value),
            () => this.remove(),
          );
        },
      });
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

interface ObservedGmCall {
  readonly serverId: number;
  readonly call: string;
  readonly outcome: string;
  readonly seconds: number;
}

interface WatchedZone {
  readonly serverId: number;
  readonly isDown: boolean;
  readonly answers: boolean;
}

export interface OpenWithdrawals {
  /** By state. */
  readonly count: ReadonlyMap<string, number>;
  /** Zero if none is unknown. */
  readonly unknown: { readonly amount: number; readonly oldestAgeMs: number; readonly oldestAmount: number };
}

export type Metrics = ReturnType<typeof createMetrics>;

const OF_ALL = 'gatehouse:metrics';
const OF_ONE = 'gatehouse:own-metrics';
const WORKER_TIMEOUT_MS = 1000;
const PRIMARY_TIMEOUT_MS = 2000;

/**
 * Answers a worker with the metrics of all workers and of the primary. A worker that is busy or has just died is counted as
 * missing instead of waited for. Runs in the primary.
 */
export function answerMetrics({ own, workers }: { own: Registry; workers: () => readonly Worker[] }): void {
  answerWorkers(OF_ALL, async () => {
    const answers = await Promise.all(
      workers().map((worker) => askWorker<null, MetricObject[]>(worker, OF_ONE, null, WORKER_TIMEOUT_MS)),
    );
    const answered = answers.filter((answer) => answer !== undefined);
    const scrape = scrapeFigures(answered.length, answers.length - answered.length);
    const all = [...answered, await own.getMetricsAsJSON(), await scrape.getMetricsAsJSON()];
    return AggregatorRegistry.aggregate(all).metrics();
  });
}

/** Returns the metrics of all workers, so that any of them can be scraped. Runs in a worker. */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  answerPrimary(OF_ONE, () => registry.getMetricsAsJSON());
  const ask = askPrimary<null, string>(OF_ALL, PRIMARY_TIMEOUT_MS);
  // A worker that is being replaced is no longer connected to the primary.
  const ofThis = async () => [await registry.metrics(), await scrapeFigures(1, 1).metrics()].join('');
  return () => ask(null).catch(ofThis);
}

function scrapeFigures(answered: number, silent: number): Registry {
  const registry = new Registry();
  const gauge = new Gauge({
    name: 'gatehouse_metrics_processes',
    help: 'Processes whose figures are in this answer (answered="yes"), and those that gave none in time (answered="no")',
    labelNames: ['answered'],
    registers: [registry],
  });
  gauge.set({ answered: 'yes' }, answered);
  gauge.set({ answered: 'no' }, silent);
  return registry;
}
