import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RefusalCode } from '@gatehouse/contract';
import type { Log } from '../../logging/log.ts';
import { busyMeter, startJob } from '../../runtime/job.ts';
import { doneWithin } from '../../runtime/with-timeout.ts';
import { type HistoryStore, type LoginDetails, type LoginValues, MAX_AGENT_LENGTH } from './store.ts';

/** A crash loses less than a second. */
const FLUSH_MS = 500;
/** Upper bound for one flush into the indexed table. More logins go to the journal, at a tenth of the cost. */
const MAX_INDEXED = 500;
const MAX_JOURNALED = 5000;
/** How long to move the journal after a flush, under load and after a quiet period. */
const BUSY_MOVE_MS = 10;
const IDLE_MOVE_MS = 100;
const IDLE_LOGINS = 50;
/** How often to look for journal chunks left behind by other instances. */
const JOURNAL_CHECK_MS = 60_000;
/** A login that waits longer is recorded with this age, because the daily sums would miss an older one. */
const MAX_AGE_MS = 15_000;
/** A reader waits no longer for a login to be written. */
const READABLE_WITHIN_MS = 1000;

/** A login to write, with its time of arrival instead of its age. Not stored without a player. */
type Waiting = [playerId: number | undefined, since: number, ...LoginDetails];

interface RecorderDeps {
  readonly store: Pick<HistoryStore, 'insertAll' | 'addToJournal' | 'moveOldest'>;
  /** Upper bound of waiting logins. More are dropped, because the database does not accept them. */
  readonly maxWaiting: number;
  readonly dropped: (count: number) => void;
  readonly log: Pick<Log, 'warn'>;
}

/** Writes logins in batches in the background; no request waits for them. */
export function loginRecorder({ store, maxWaiting, dropped, log }: RecorderDeps) {
  let queue: Waiting[] = [];
  let beingWritten: Waiting[] = [];
  /** The round that readers wait for, and the queue that it writes. */
  let requested: { readonly logins: Waiting[]; readonly done: Promise<void> } | undefined;
  let journalHasMore = true;
  let journalReadAt = performance.now();
  let wasIdle = true;
  const wasBusy = busyMeter();
  let closed = false;

  function record({ playerId, kind, code, serverId, address, userAgent = '' }: Login): void {
    if (queue.length >= maxWaiting) dropped(1);
    else {
      const agent = userAgent.length > MAX_AGENT_LENGTH ? userAgent.slice(0, MAX_AGENT_LENGTH) : userAgent;
      queue.push([playerId, performance.now(), kind, code ?? null, serverId ?? null, address, agent]);
    }
  }

  async function write(waiting: readonly Waiting[]): Promise<void> {
    const isBurst = waiting.length > MAX_INDEXED;
    const groupSize = isBurst ? MAX_JOURNALED : MAX_INDEXED;
    for (let start = 0; start < waiting.length; start += groupSize) {
      const logins = valuesOf(waiting.slice(start, start + groupSize));
      if (logins.length === 0) continue;
      try {
        await (isBurst ? store.addToJournal(logins) : store.insertAll(logins));
        journalHasMore ||= isBurst;
      } catch (error) {
        dropped(logins.length);
        log.warn({ err: error, logins: logins.length }, 'logins could not be recorded');
      }
    }
  }

  async function moveJournal(forMs: number): Promise<void> {
    const end = performance.now() + forMs;
    while (journalHasMore && !closed && performance.now() < end) {
      journalHasMore = await store.moveOldest();
      await nextTurn();
    }
  }

  async function writeAll(): Promise<void> {
    if (performance.now() - journalReadAt > JOURNAL_CHECK_MS) {
      journalReadAt = performance.now();
      journalHasMore = true;
    }
    const waiting = queue;
    queue = [];
    beingWritten = waiting;
    await write(waiting);
    beingWritten = [];
    const isIdle = !wasBusy() && waiting.length < IDLE_LOGINS;
    if (waiting.length <= MAX_INDEXED)
      await moveJournal(isIdle && wasIdle ? IDLE_MOVE_MS : BUSY_MOVE_MS).catch((error) =>
        log.warn({ err: error }, 'journaled logins could not be moved'),
      );
    wasIdle = isIdle;
  }

  const job = startJob({ intervalMs: FLUSH_MS, firstAfterMs: FLUSH_MS, work: writeAll });
  return {
    record,
    /** Number of logins that are not written yet. */
    waiting: () => queue.length,
    /** Writes the waiting logins and moves a part of the journal. */
    flush: job.run,
    /** Writes the logins of a player that wait, so that players see the login that they have just made. */
    async recorded(playerId: number): Promise<void> {
      const isOfPlayer = ([id]: Waiting) => id === playerId;
      if (!queue.some(isOfPlayer) && !beingWritten.some(isOfPlayer)) return;
      // All readers of a queue share a round, however slow the database is.
      if (requested?.logins !== queue) requested = { logins: queue, done: job.run() };
      await doneWithin(requested.done, READABLE_WITHIN_MS);
    },
    async close() {
      closed = true;
      await job.close();
      await writeAll();
    },
  };
}

/** Reuses the entries: after waiting, thousands of them are expensive to collect, and so would be copies. */
function valuesOf(waiting: readonly Waiting[]): LoginValues[] {
  const now = performance.now();
  for (const entry of waiting) entry[1] = Math.min(Math.round(now - entry[1]), MAX_AGE_MS);
  return waiting.filter((entry): entry is LoginValues => entry[0] !== undefined);
}

/** A wrong password or code of somebody who is logged in, or a wrong second factor. All are answered `invalid_credentials`. */
export type WrongProof = 'wrong_current_password' | 'wrong_second_factor';

export type LoginKind = 'login' | 'register' | 'forum' | 'enter' | 'refused';

/** A player's login, or one that was refused at the player's account. */
export interface Login {
  /** Undefined if the account does not exist. Recording takes the same time, but nothing is stored. */
  readonly playerId: number | undefined;
  readonly kind: LoginKind;
  /** Why it was refused: the answer's code, or a more exact reason. */
  readonly code?: RefusalCode | WrongProof;
  /** The zone that was entered. */
  readonly serverId?: number;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Accepts a login and returns immediately. It is written later in a batch. */
export type RecordLogin = (login: Login) => void;

/** Resolves when the player's logins at this instance can be read, or after a second. */
export type LoginsRecorded = (playerId: number) => Promise<void>;
