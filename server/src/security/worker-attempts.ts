import { batchLoader } from '../runtime/batch-loader.ts';
import { answerWorkers, askPrimary, onWorkerExit } from '../runtime/worker-ipc.ts';
import {
  type Attempt,
  type AttemptStore,
  type Busy,
  type Free,
  type MemoryAttempts,
  memoryAttempts,
  type Outcome,
  type Over,
} from './attempt-store.ts';

const SUBJECT = 'gatehouse:attempts';
const PATIENCE_MS = 5000;
const MAX_BATCH = 256;

type Ask =
  | { readonly what: 'take'; readonly attempt: Attempt }
  | { readonly what: 'settle'; readonly attempt: Attempt; readonly outcome: Outcome }
  | { readonly what: 'clear'; readonly id: string };

type Answer = Free | Busy | Over | null;

/** Counts the attempts of all workers together, in the order of their messages. */
export function attemptsOfWorkers(store: MemoryAttempts) {
  const underWay = new Map<number, Map<number, Attempt>>();
  const ended = new Set<number>();

  function ofWorker(workerId: number): Map<number, Attempt> {
    const known = underWay.get(workerId) ?? new Map<number, Attempt>();
    underWay.set(workerId, known);
    return known;
  }

  return {
    answer(ask: Ask, workerId: number): Answer {
      // A worker's last message may arrive after its exit.
      if (ended.has(workerId)) return null;
      if (ask.what === 'clear') {
        store.clear(ask.id);
        return null;
      }
      const { attempt } = ask;
      if (ask.what === 'settle') {
        // One that found no place has none to free.
        if (ofWorker(workerId).delete(attempt.id)) store.settle(attempt, ask.outcome);
        return null;
      }
      const taken = store.take(attempt);
      if (taken.state === 'free') ofWorker(workerId).set(attempt.id, attempt);
      return taken;
    },
    /** Frees the places of a worker that exited and can no longer settle its attempts. */
    workerEnded(workerId: number): void {
      ended.add(workerId);
      for (const attempt of underWay.get(workerId)?.values() ?? []) store.settle(attempt, 'undecided');
      underWay.delete(workerId);
    },
  };
}

/** Runs in the primary process. */
export function answerAttempts(): void {
  const { answer, workerEnded } = attemptsOfWorkers(memoryAttempts());
  answerWorkers(SUBJECT, async (asks: Ask[], workerId) => asks.map((ask) => answer(ask, workerId)));
  onWorkerExit(workerEnded);
}

/** Runs in a worker. Batches all attempts of one event-loop turn into one IPC message. */
export function workerAttempts(): AttemptStore {
  const askTogether = askPrimary<readonly Ask[], Answer[]>(SUBJECT, PATIENCE_MS);
  const ask = batchLoader(MAX_BATCH, askTogether);
  return {
    async take(attempt) {
      const taken = await ask({ what: 'take', attempt }).catch((error) => {
        // A slow primary process may count it later, and the place would stay taken.
        void ask({ what: 'settle', attempt, outcome: 'undecided' }).catch(() => {});
        throw error;
      });
      if (!taken) throw new Error('the primary process did not count an attempt');
      return taken;
    },
    async settle(attempt, outcome) {
      await ask({ what: 'settle', attempt, outcome });
    },
    async clear(id) {
      await ask({ what: 'clear', id });
    },
  };
}
