import { batchLoader } from '../runtime/batch-loader.ts';
import { answerWorkers, askPrimary } from '../runtime/worker-ipc.ts';
import { type Count, type LimiterFactory, limiter, memoryStore, type Store } from './throttle.ts';

const SUBJECT = 'gatehouse:counts';
const PATIENCE_MS = 5000;
const ASKED_AT_ONCE = 256;

interface Ask {
  readonly name: string;
  readonly window: number;
  readonly what: keyof Store;
  readonly key: string;
  readonly points: number;
}

/** Runs in the primary process. Counts for all workers together. */
export function answerCounts(): void {
  const stores = new Map<string, Store>();
  function storeOf({ name, window }: Ask): Store {
    // A changed window starts a new count.
    const id = `${name}:${window}`;
    const store = stores.get(id) ?? memoryStore(window);
    stores.set(id, store);
    return store;
  }
  async function answer(ask: Ask): Promise<Count | null> {
    const count = await storeOf(ask)[ask.what](ask.key, ask.points);
    return count && { consumedPoints: count.consumedPoints, msBeforeNext: count.msBeforeNext };
  }
  answerWorkers(SUBJECT, (asks: Ask[]) => Promise.all(asks.map(answer)));
}

/** Runs in a worker. Batches all counts of one event-loop turn into one IPC message. */
export function workerLimiters(): LimiterFactory {
  const askTogether = askPrimary<readonly Ask[], (Count | null)[]>(SUBJECT, PATIENCE_MS);
  const ask = batchLoader(ASKED_AT_ONCE, askTogether);
  return (name, limit) =>
    limiter((window) => {
      const asking =
        (what: keyof Store) =>
        (key: string, points = 1) =>
          ask({ name, window, what, key, points });
      return { consume: asking('consume'), reward: asking('reward') };
    }, limit);
}
