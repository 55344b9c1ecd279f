import type { Metric, Registry } from 'prom-client';
import { Refusal } from '../refusal.ts';

const OTHER = 'other';

interface OutcomeNames {
  readonly name: string;
  readonly help: string;
  /** The first label and all of its values. */
  readonly label: string;
  readonly values: readonly string[];
  /** Every other outcome is counted as `other`. */
  readonly outcomes: readonly string[];
}

/**
 * A counter by one label and by outcome. Its series are known in advance, so that rates are right from the first event on, and
 * counting is one addition: prom-client's own counter validates and hashes the labels each time.
 */
export function outcomeCounter(registry: Registry, { name, help, label, values, outcomes }: OutcomeNames) {
  const series = values.flatMap((value) =>
    [...outcomes, OTHER].map((outcome) => ({ labels: { [label]: value, outcome }, value: 0 })),
  );
  const byValue = new Map(
    values.map((value) => [
      value,
      new Map(
        series.filter(({ labels }) => labels[label] === value).map((each) => [each.labels.outcome, each]),
      ),
    ]),
  );
  const metric = { name, help, type: 'counter', aggregator: 'sum' };
  // The registry uses only these members of a metric.
  registry.registerMetric({
    ...metric,
    get: async () => ({ ...metric, values: series }),
  } as unknown as Metric);
  return (value: string, outcome: string): void => {
    const counts = byValue.get(value);
    const counted = counts?.get(outcome) ?? counts?.get(OTHER);
    if (counted) counted.value++;
  };
}

/** Counts how each call of a rule ends: `success`, the code of its refusal, or `error`. */
export function countOutcomes<Arguments extends unknown[], Result>(
  rule: (...args: Arguments) => Promise<Result>,
  count: (outcome: string, ...args: Arguments) => void,
): (...args: Arguments) => Promise<Result> {
  return (...args) => {
    const result = rule(...args);
    result.then(
      () => count('success', ...args),
      (error: unknown) => count(error instanceof Refusal ? error.code : 'error', ...args),
    );
    return result;
  };
}
