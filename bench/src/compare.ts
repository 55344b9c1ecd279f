import { readFileSync } from 'node:fs';
import type { Outcome } from './report.ts';
import { median, ratioOf } from './statistics.ts';

/** Smaller changes are noise: two starts of the same program differ by as much. */
const NOISE = 0.05;

interface Figure {
  readonly what: string;
  readonly value: number;
}

/** Returns each candidate's rate, CPU time and p99 relative to the first one of its comparison. */
function figuresOf({ results }: Outcome): Figure[] {
  return results.flatMap(({ route, data, figures }) => {
    const [base, ...others] = figures;
    if (base === undefined) return [];
    return others.flatMap(({ name, rates, costs, p99 }) => {
      const what = `${route}, ${data}, ${name}`;
      return [
        { what: `${what}: rate`, value: ratioOf(rates, base.rates).median },
        { what: `${what}: CPU`, value: ratioOf(costs, base.costs).median },
        { what: `${what}: p99`, value: median(p99) / median(base.p99) },
      ];
    });
  });
}

/** Lists the ratios that differ from those of an earlier run, and measurements other than ratios with both texts. */
export function changesSince(earlier: Outcome, now: Outcome): string[] {
  const before = new Map(figuresOf(earlier).map(({ what, value }) => [what, value]));
  const ratios = figuresOf(now).flatMap(({ what, value }) => {
    const old = before.get(what);
    if (old === undefined) return [`${what} ${value.toFixed(2)}, not measured before`];
    const change = value / old - 1;
    if (Math.abs(change) < NOISE) return [];
    return [
      `${what} ${old.toFixed(2)} → ${value.toFixed(2)} (${change > 0 ? '+' : ''}${Math.round(change * 100)} %)`,
    ];
  });
  const findings = now.findings.flatMap(({ what, figure }) => {
    const old = earlier.findings.find((each) => each.what === what)?.figure;
    return old === undefined || old === figure ? [] : [`${what}: ${old} → ${figure}`];
  });
  return [...ratios, ...findings];
}

export function printChanges(file: string, now: Outcome): void {
  const changes = changesSince(JSON.parse(readFileSync(file, 'utf8')), now);
  console.log(`\nchanges since ${file}, of more than ${NOISE * 100} %:`);
  for (const line of changes.length > 0 ? changes : ['none']) console.log(`  ${line}`);
}
