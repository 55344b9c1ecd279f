import type { Log } from '../../logging/log.ts';
import { startJob } from '../../runtime/job.ts';
import type { LocalTime } from '../../runtime/time.ts';
import type { LegacyStore } from './store.ts';

const FLUSH_MS = 500;
const MAX_WAITING = 20_000;

/** Records that a player used an md5 token. Returns immediately. */
export type RecordLegacy = (player: { readonly id: number; readonly legacySeenAt: number | null }) => void;

interface RecorderDeps {
  readonly store: Pick<LegacyStore, 'markSeen'>;
  readonly time: LocalTime;
  readonly log: Pick<Log, 'warn'>;
}

/** Writes records in batches, off the request path. Each player is recorded once a day. */
export function legacyRecorder({ store, time, log }: RecorderDeps) {
  let waiting = new Set<number>();

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const ids = [...waiting];
    waiting = new Set();
    await store
      .markSeen(ids, time.today())
      .catch((error) => log.warn({ err: error }, 'players with md5 tokens could not be counted'));
  }

  const job = startJob({ intervalMs: FLUSH_MS, firstAfterMs: FLUSH_MS, work: write });
  return {
    record({ id, legacySeenAt }: Parameters<RecordLegacy>[0]) {
      const isNoted = legacySeenAt !== null && legacySeenAt >= time.today().from;
      if (isNoted || waiting.size >= MAX_WAITING) return;
      waiting.add(id);
    },
    flush: job.run,
    async close() {
      await job.close();
      await write();
    },
  };
}
