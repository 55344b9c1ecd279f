import type { Metric, Registry } from 'prom-client';

const NAME = 'gatehouse_http_request_seconds';
const HELP = 'Time from the first byte of a request to the end of its answer';
const BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

interface Kind {
  readonly labels: { readonly route: string; readonly method: string; readonly status: number };
  /** One per bound, and one for values above the last. */
  readonly counts: number[];
  sum: number;
}

/** A histogram of plain counters. prom-client's own validates and hashes the labels at every request. */
export function requestTimes(registry: Registry) {
  const byRoute = new Map<string, Kind[]>();

  function kindOf(route: string, method: string, status: number): Kind {
    const kinds = byRoute.get(route) ?? [];
    const known = kinds.find(({ labels }) => labels.status === status && labels.method === method);
    if (known) return known;
    const kind = { labels: { route, method, status }, counts: Array(BOUNDS.length + 1).fill(0), sum: 0 };
    byRoute.set(route, [...kinds, kind]);
    return kind;
  }

  const metric = {
    name: NAME,
    help: HELP,
    type: 'histogram',
    get: async () => ({
      name: NAME,
      help: HELP,
      type: 'histogram',
      aggregator: 'sum',
      values: [...byRoute.values()].flat().flatMap(lines),
    }),
  };
  // The registry uses only these members of a metric.
  registry.registerMetric(metric as unknown as Metric);

  return (route: string, method: string, status: number, ms: number): void => {
    const kind = kindOf(route, method, status);
    const seconds = ms / 1000;
    let place = 0;
    while (place < BOUNDS.length && seconds > (BOUNDS[place] ?? 0)) place++;
    kind.counts[place] = (kind.counts[place] ?? 0) + 1;
    kind.sum += seconds;
  };
}

/** Renders cumulative buckets. */
function lines({ labels, counts, sum }: Kind) {
  let count = 0;
  const buckets = counts.map((own, place) => {
    count += own;
    return { metricName: `${NAME}_bucket`, labels: { le: BOUNDS[place] ?? '+Inf', ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ];
}
