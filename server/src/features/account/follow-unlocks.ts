import type { Log } from '../../logging/log.ts';
import { startJob } from '../../runtime/job.ts';
import { accountKey } from '../../security/account-key.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { AuditStore } from '../audit/store.ts';
import type { HistoryStore } from '../history/store.ts';
import type { AccountStore } from './store.ts';

const POLL_MS = 2000;
/** Rows can become visible slightly out of order. */
const OVERLAP_MS = 60_000;
const MAX_UNLOCKS = 200;
/** Also clears the wrong attempts from the addresses of this many last logins and refusals. */
const MAX_LOGINS = 50;

export interface FollowUnlocksDeps {
  readonly audit: Pick<AuditStore, 'list'>;
  readonly players: Pick<AccountStore, 'findById'>;
  readonly loginsOf: HistoryStore['loginsOf'];
  readonly throttle: Pick<LoginThrottle, 'unlock'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Clears the throttle counters of accounts that operators unlock on any instance or on the command line. */
export function followUnlocks({ audit, players, loginsOf, throttle, log }: FollowUnlocksDeps) {
  const followed = new Map<string, number>();
  let latest: number | undefined;

  async function clear(playerId: number): Promise<void> {
    const player = await players.findById(playerId);
    if (!player) return;
    const logins = await loginsOf(playerId, MAX_LOGINS);
    const addresses = [...player.usualAddresses, ...logins.map(({ ip }) => ip)];
    await throttle.unlock({ subject: accountKey(player.account), playerId, addresses });
  }

  async function read(): Promise<void> {
    const action = 'player.unlock';
    if (latest === undefined) {
      // Counters of earlier unlocks were cleared when those happened.
      const [last] = await audit.list({ action, limit: 1 });
      if (last) followed.set(last.id, last.at);
      latest = last?.at ?? 0;
    }
    const records = await audit.list({ action, from: latest - OVERLAP_MS, limit: MAX_UNLOCKS });
    for (const { id, at, subject_id } of records) {
      if (followed.has(id)) continue;
      await clear(Number(subject_id));
      followed.set(id, at);
      latest = Math.max(latest, at);
    }
    for (const [id, at] of followed) if (at < latest - OVERLAP_MS) followed.delete(id);
  }

  const job = startJob({
    intervalMs: POLL_MS,
    work: read,
    failed: (err) => log.warn({ err }, 'unlocked accounts could not be read; retrying'),
  });
  return {
    /** Looks for unlocks now instead of at the next poll. */
    refresh: job.run,
    close: job.close,
  };
}
