import { backgroundPause } from '../../runtime/background-pause.ts';
import { type PollLoop, pollLoop } from '../../runtime/poll-loop.ts';

/** Takes some milliseconds to write, during which requests wait. */
const BATCH_SIZE = 200;
const INTERVAL_MS = 1000;

interface IndexJobParts {
  /** Indexes up to `limit` lines. Returns how many. */
  readonly indexOldest: (limit: number) => Promise<number>;
  readonly onError: (error: unknown) => void;
}

/** Indexes lines that bursts have left unindexed, within seconds or as soon as requests leave time for it. */
export function startIndexJob({ indexOldest, onError }: IndexJobParts): PollLoop {
  let closed = false;

  async function indexAll(): Promise<void> {
    while (!closed) {
      const started = performance.now();
      if ((await indexOldest(BATCH_SIZE)) < BATCH_SIZE) return;
      await backgroundPause(performance.now() - started);
    }
  }

  const polling = pollLoop(INTERVAL_MS, () => indexAll().catch(onError));
  return {
    close() {
      closed = true;
      return polling.close();
    },
  };
}
