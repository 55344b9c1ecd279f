import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tempDir } from '../../../test-support/process.ts';
import { createMovableClock } from '../../../test-support/shifted-clock.ts';
import { openDatabase } from '../../src/db/open.ts';
import { startUntilReady } from '../cluster/deployment.ts';
import { type MemorySample, watchMemory } from '../cluster/memory.ts';
import type { CompletedRequest, Window } from '../cluster/timeline.ts';
import { type SlowParts, startSlowParts } from '../slow-parts/parts.ts';
import { startSlowRun } from '../slow-parts/run.ts';
import { TIMERS_FILE } from './report-timers.ts';

/** What the service's process holds at this time, in milliseconds since the load began. */
export interface ResourceSample {
  readonly at: number;
  readonly handles: number;
  readonly timers: number;
}

export interface SoakResult {
  readonly requests: readonly CompletedRequest[];
  readonly windows: readonly Window[];
  /** When the service was killed; later samples are of another process. */
  readonly killedAt: number;
  readonly memory: readonly MemorySample[];
  readonly resources: readonly ResourceSample[];
  readonly tables: readonly { name: string; before: number; after: number }[];
  readonly violations: Readonly<Record<string, number>>;
}

interface SoakOptions {
  readonly minutes: number;
  /** Old lines of chat that the retention deletes meanwhile. */
  readonly rows: number;
  readonly say: (text: string) => void;
}

const RETENTION_DAYS = 30;
const LOAD_S = 25;
const PAUSE_S = 5;
const SAMPLE_MS = 2000;
const DAY_MS = 86_400_000;
const TABLES = [
  'player',
  'player_login',
  'chat',
  'verify',
  'used_once',
  'withdraw',
  'audit',
  'day_stat',
  'reconciliation',
];
/** At 04:00 the service compares withdrawals with the zones. */
const NIGHTLY_MS = 4 * 3_600_000;

/** Returns a percentile of the requests that began in a quarter of the run. */
export function percentile(requests: readonly CompletedRequest[], quarter: number, share: number): number {
  const part = requests.slice(
    Math.floor((requests.length * quarter) / 4),
    Math.floor((requests.length * (quarter + 1)) / 4),
  );
  const times = part.map(({ from, to }) => to - from).sort((a, b) => a - b);
  return times[Math.floor(times.length * share)] ?? 0;
}

/**
 * A night of mixed load with pauses. Midnight comes after a fifth of it; then the settings are reloaded, the log is rotated, Redis is
 * restarted, and at 04:00 the service is killed. Meanwhile the retention deletes old lines of chat.
 */
export async function soak({ minutes, rows, say }: SoakOptions): Promise<SoakResult> {
  const lengthMs = minutes * 60_000;
  // The service and its database share it.
  const clock = createMovableClock();
  await using open = new AsyncDisposableStack();
  clock.set(DAY_MS - 0.2 * lengthMs - (Date.now() % DAY_MS));
  const folder = tempDir('soak');
  const logFile = join(folder, 'service.log');
  const timersFile = join(folder, 'timers');
  const env = {
    ...clock.env,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'report-timers.ts')}`,
    [TIMERS_FILE]: timersFile,
  };
  const settings = { time_zone: 'UTC', chat, log: { level: 'info', file: logFile } };
  const parts = await startSlowParts({ env, settings });
  open.defer(parts.close);
  const { service, redis, databaseUrl } = parts;
  await addOldLines(parts, rows);
  const before = await rowCounts(databaseUrl);
  const run = startSlowRun(parts);

  const began = performance.now();
  const now = () => performance.now() - began;
  const requests: CompletedRequest[] = [];
  const windows: Window[] = [];
  const resources: ResourceSample[] = [];
  const memory = watchMemory([service], now);
  open.defer(() => memory.stop());
  const sampling = setInterval(() => {
    const timers = Number(readFileSync(timersFile, 'utf8'));
    if (service.isRunning) resources.push({ at: now(), handles: handlesOf(service.pid), timers });
  }, SAMPLE_MS);
  open.defer(() => clearInterval(sampling));
  let linesAfterRotation = 0;
  let killedAt = lengthMs;

  const events: [name: string, at: number, work: () => Promise<void>][] = [
    ['midnight', 0.2, async () => {}],
    [
      'settings reloaded',
      0.3,
      async () => service.writeSettings({ ...service.settings, deny_ip: ['203.0.113.99'] }),
    ],
    ['log rotated', 0.4, async () => truncateSync(logFile)],
    ['Redis restarted', 0.5, () => redis.restart()],
    ['killed at 04:00', 0.7, killAtFour],
  ];
  async function killAtFour(): Promise<void> {
    linesAfterRotation = statSync(logFile).size;
    const today = (Date.now() + clock.offset()) % DAY_MS;
    clock.set(clock.offset() + NIGHTLY_MS - today - 2000);
    await sleep(4000);
    killedAt = now();
    await service.kill();
    await startUntilReady(service);
  }
  const playing = (async () => {
    for (const [name, at, work] of events) {
      await sleep(Math.max(0, at * lengthMs - now()));
      const from = now();
      await work();
      say(`${(now() / 60_000).toFixed(1)} min: ${name}`);
      windows.push({ fault: name, from, to: now() });
    }
  })();
  while (now() < lengthMs) {
    const offset = now();
    await run.load(LOAD_S, (request) =>
      requests.push({ ...request, from: request.from + offset, to: request.to + offset }),
    );
    await sleep(PAUSE_S * 1000);
  }
  await playing;
  await noOldLines(databaseUrl, lengthMs);
  const after = await rowCounts(databaseUrl);
  const violations = await run.judge();
  return {
    requests,
    windows,
    killedAt,
    memory: memory.samples,
    resources,
    tables: TABLES.map((name) => ({ name, before: before.get(name) ?? 0, after: after.get(name) ?? 0 })),
    violations: {
      ...violations,
      'untrue answers': requests.filter(({ outcome }) => outcome === 'wrong' || outcome === 'unclean').length,
      'no reconciliation of the night': after.get('reconciliation') === 0 ? 1 : 0,
      'no line in the log after its rotation': linesAfterRotation === 0 ? 1 : 0,
      'old lines left': await oldLines(databaseUrl),
    },
  };
}

const chat = { limit: 1_000_000, bytes: 10 ** 12, retention_days: RETENTION_DAYS };

async function addOldLines({ own }: SlowParts, rows: number): Promise<void> {
  const old = Date.now() - 2 * RETENTION_DAYS * DAY_MS;
  for (let added = 0; added < rows; added += 100_000)
    await own.execute(`USE slow_parts; INSERT INTO chat (server_id, role, content, received_at, unindexed)
      SELECT 1, 'Hero', CONCAT('old ', seq), ${old} + seq, 0 FROM seq_1_to_${Math.min(100_000, rows - added)}`);
}

async function oldLines(databaseUrl: string): Promise<number> {
  const db = await openDatabase(databaseUrl);
  try {
    const { n } = await db.kysely
      .selectFrom('chat')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('received_at', '<', Date.now() - (RETENTION_DAYS + 1) * DAY_MS)
      .executeTakeFirstOrThrow();
    return Number(n);
  } finally {
    await db.close();
  }
}

/** Waits until the retention is done, for at most the same time again. */
async function noOldLines(databaseUrl: string, timeoutMs: number): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(2000))
    if ((await oldLines(databaseUrl)) === 0) return;
}

async function rowCounts(databaseUrl: string): Promise<Map<string, number>> {
  const db = await openDatabase(databaseUrl);
  try {
    const counts = new Map<string, number>();
    for (const name of TABLES) {
      const { n } = await db.kysely
        .selectFrom(name as 'player')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      counts.set(name, Number(n));
    }
    return counts;
  } finally {
    await db.close();
  }
}

function handlesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
