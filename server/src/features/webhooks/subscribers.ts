import type { Subscriber } from '../../db/outbox.ts';
import type { Log } from '../../logging/log.ts';
import { startJob } from '../../runtime/job.ts';
import { withTimeout } from '../../runtime/with-timeout.ts';

const REFRESH_MS = 2000;
const READ_TIMEOUT_MS = 2000;
/** Changes by operators must reach every instance within 5 s. */
const MAX_AGE_MS = 4000;

/** Keeps in memory which webhook wants which events, so that a change without a subscriber costs no statement. */
export async function openSubscribers({
  read,
  log,
}: {
  read: () => Promise<readonly Subscriber[]>;
  log: Pick<Log, 'warn'>;
}) {
  let readAt = performance.now();
  let cached = await read();
  let isStale = false;

  async function refresh(): Promise<void> {
    const begun = performance.now();
    try {
      const rows = await withTimeout(read(), READ_TIMEOUT_MS, tooLate);
      isStale = false;
      // A slow read that began before another must not overwrite its result.
      if (begun < readAt) return;
      [cached, readAt] = [rows, begun];
    } catch (error) {
      if (!isStale) log.warn({ err: error }, 'the webhooks could not be read; it is tried again');
      isStale = true;
    }
  }

  const polling = startJob({ intervalMs: REFRESH_MS, firstAfterMs: REFRESH_MS, work: refresh });
  return {
    /** Returns the webhooks as last read. */
    all: () => cached,
    /** Returns them unless they were read too long ago. An event must then read them itself, so that none is missed. */
    recent: () => (performance.now() - readAt > MAX_AGE_MS ? undefined : cached),
    /** Reads them now instead of at the next poll. */
    refresh,
    close: polling.close,
  };
}

const tooLate = () => new Error(`the database gave no answer within ${READ_TIMEOUT_MS / 1000} s`);
