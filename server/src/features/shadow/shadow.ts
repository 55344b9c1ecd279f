import { setTimeout as sleep } from 'node:timers/promises';
import { type Dialect, type Exchange, type ShadowRoute, shadowRoutes } from './exchange.ts';
import type { Judge, Verdict } from './judge.ts';

/** A request that the old service and this one answer differently. Holds no password and no token. */
export interface Difference {
  readonly route: ShadowRoute;
  readonly account: string;
  readonly old: 'accepted' | 'refused';
  readonly ours: Verdict;
  /** Line of the log, or time of the request. */
  readonly at: string;
}

export interface ShadowResult {
  readonly routes: readonly {
    readonly route: ShadowRoute;
    readonly compared: number;
    readonly agreed: number;
    readonly differed: number;
  }[];
  /** The first ones. */
  readonly differences: readonly Difference[];
  /** Requests of other routes. */
  readonly skipped: number;
  /** Requests or answers that could not be read. */
  readonly unreadable: number;
  /** Not compared because too many were waiting. */
  readonly dropped: number;
  /** Not compared because of an error here, such as a database that does not answer. */
  readonly failed: number;
}

export interface ShadowDeps {
  readonly dialect: Dialect;
  readonly judge: Judge;
  /** Compares a difference once more after this time: the account may have changed there since the last import. */
  readonly recheckMs: number;
}

export interface Place {
  readonly exchange: Exchange;
  readonly at: string;
}

const MAX_SHOWN = 20;
/** Comparisons at a time. Below the queue of password hashes, so that none is refused. */
const CONCURRENCY = 16;
const MAX_WAITING = 1000;

/** Compares the answers of the old service with ours, one exchange after another or from a bounded queue. */
export function createShadow({ dialect, judge, recheckMs }: ShadowDeps) {
  const counts = Object.fromEntries(
    shadowRoutes.map((route) => [route, { compared: 0, differed: 0 }]),
  ) as Record<ShadowRoute, { compared: number; differed: number }>;
  const uncompared = { skipped: 0, unreadable: 0, dropped: 0, failed: 0 };
  const differences: Difference[] = [];
  const ending = new AbortController();
  const waiting: Place[] = [];
  const running = new Set<Promise<void>>();
  const rechecks = new Set<Promise<void>>();

  type Outcome = Difference | { readonly route: ShadowRoute } | keyof typeof uncompared;

  async function outcomeOf({ exchange, at }: Place): Promise<Outcome> {
    const { request, answer } = exchange;
    const route = dialect.routeOf(request.url);
    if (route === undefined) return 'skipped';
    const asked = dialect.asked(request);
    const wasAccepted = dialect.isAccepted(answer);
    if (asked === undefined || wasAccepted === undefined) return 'unreadable';
    try {
      const ours = await judge(route, asked);
      if ((ours === 'accepted') === wasAccepted) return { route };
      return { route, account: asked.account ?? '', old: wasAccepted ? 'accepted' : 'refused', ours, at };
    } catch {
      return 'failed';
    }
  }

  const isDifference = (outcome: Outcome): outcome is Difference =>
    typeof outcome === 'object' && 'ours' in outcome;

  function count(outcome: Outcome): void {
    if (typeof outcome === 'string') {
      uncompared[outcome]++;
      return;
    }
    counts[outcome.route].compared++;
    if (!isDifference(outcome)) return;
    counts[outcome.route].differed++;
    if (differences.length < MAX_SHOWN) differences.push(outcome);
  }

  async function compareLater(place: Place): Promise<void> {
    await sleep(recheckMs, undefined, { signal: ending.signal }).catch(() => {});
    count(await outcomeOf(place));
  }

  async function compareNow(place: Place): Promise<void> {
    const outcome = await outcomeOf(place);
    if (!isDifference(outcome) || recheckMs === 0 || ending.signal.aborted || rechecks.size >= MAX_WAITING)
      return count(outcome);
    const recheck = compareLater(place).finally(() => rechecks.delete(recheck));
    rechecks.add(recheck);
  }

  function startNext(): void {
    while (running.size < CONCURRENCY) {
      const next = waiting.shift();
      if (next === undefined) return;
      const comparing = compareNow(next).finally(() => {
        running.delete(comparing);
        startNext();
      });
      running.add(comparing);
    }
  }

  return {
    /** Compares a batch and counts its outcomes in order. */
    async compareAll(places: readonly Place[]): Promise<void> {
      for (let from = 0; from < places.length; from += CONCURRENCY)
        for (const outcome of await Promise.all(places.slice(from, from + CONCURRENCY).map(outcomeOf)))
          count(outcome);
    },
    /** Queues an exchange. Never waits; drops it if the queue is full. */
    offer(place: Place): void {
      if (waiting.length >= MAX_WAITING) uncompared.dropped++;
      else {
        waiting.push(place);
        startNext();
      }
    },
    countUnreadable: () => void uncompared.unreadable++,
    result: (): ShadowResult => ({
      routes: shadowRoutes.map((route) => {
        const { compared, differed } = counts[route];
        return { route, compared, agreed: compared - differed, differed };
      }),
      differences,
      ...uncompared,
    }),
    /** Compares what is waiting, and what waits for its second comparison, immediately. */
    async finish(): Promise<void> {
      ending.abort();
      while (running.size > 0) await Promise.all(running);
      await Promise.all(rechecks);
    },
  };
}

export type Shadow = ReturnType<typeof createShadow>;
