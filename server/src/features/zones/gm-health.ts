import type { GmCall } from '../../integrations/zone-driver.ts';
import type { Log } from '../../logging/log.ts';
import { timeText } from '../../runtime/time.ts';
import type { Zone, ZoneStore } from './store.ts';

interface GmHealthDeps {
  readonly store: Pick<ZoneStore, 'beginGmFailure' | 'endGmFailure'>;
  readonly zoneOf: (serverId: number) => Pick<Zone, 'gmFailingSince'> | undefined;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Cached zones may lag behind a write by this much. */
const CACHE_LAG_MS = 2000;

const FAILURES: readonly GmCall['outcome'][] = ['not_sent', 'unknown'];
const SUCCESSES: readonly GmCall['outcome'][] = ['done', 'refused', 'executed', 'not_executed'];

/** Records since when the GM interface of a zone fails. Of all instances, one logs that it begins, and one that it ends. */
export function trackGmHealth({ store, zoneOf, log }: GmHealthDeps) {
  /** When this process recorded a failure, by zone. */
  const recorded = new Map<number, number>();
  let writing = Promise.resolve();

  async function begin({ serverId, why }: GmCall): Promise<void> {
    if (await store.beginGmFailure(serverId, why))
      log.warn({ server_id: serverId, why }, 'the GM interface of a zone fails');
  }

  async function end({ serverId }: GmCall): Promise<void> {
    const since = await store.endGmFailure(serverId);
    if (since === undefined) return;
    log.info({ server_id: serverId, since: timeText(since) }, 'the GM interface of a zone works again');
  }

  function write(change: (call: GmCall) => Promise<void>, call: GmCall): void {
    writing = writing
      .then(() => change(call))
      .catch((err) =>
        log.warn({ err, server_id: call.serverId }, 'the state of a GM interface was not recorded'),
      );
  }

  return {
    /** Returns immediately: no withdrawal waits for this record. */
    record(call: GmCall): void {
      const { serverId, outcome } = call;
      const isFailing = (zoneOf(serverId)?.gmFailingSince ?? null) !== null;
      const began = recorded.get(serverId);
      if (FAILURES.includes(outcome)) {
        if (isFailing || (began !== undefined && performance.now() - began < CACHE_LAG_MS)) return;
        recorded.set(serverId, performance.now());
        write(begin, call);
      } else if (SUCCESSES.includes(outcome) && (isFailing || began !== undefined)) {
        recorded.delete(serverId);
        write(end, call);
      }
    },
    /** Resolves when everything is recorded. */
    idle: () => writing,
  };
}
