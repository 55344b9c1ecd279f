import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Gatehouse, runCli, startGatehouse } from '../../../test-support/gatehouse.ts';
import type { EngineName } from './fill.ts';
import { openPlatforms } from './platform.ts';
import { requests, type ScaleRequest } from './requests.ts';

/**
 * Times the operators' lists and figures on a small and on a large platform; they must not grow with it.
 *
 * node server/test/scale/main.ts --engine sqlite|mysql [--rows 1000000] [--small 10000] [--repeats 15] [--only text] [--keep folder]
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '1000000' },
    small: { type: 'string', default: '10000' },
    repeats: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
  },
});
const engine: EngineName = values.engine === 'mysql' ? 'mysql' : 'sqlite';
const repeats = Number(values.repeats);

/** Slower than this, and by this ratio slower than on the small platform, is reported. */
const SLOW_MS = 20;
const SLOW_RATIO = 2;

interface Subject {
  readonly service: Gatehouse;
  readonly headers: { readonly authorization: string };
}

async function start(url: string): Promise<Subject> {
  const service = await startGatehouse({
    // Otherwise logins would be deleted meanwhile.
    settings: { database: { url }, history: { retention_days: 0 } },
  });
  const name = `scale-${randomUUID().slice(0, 8)}`;
  const { stdout, stderr } = await runCli(['operator', 'key', 'add', name, '--role', 'admin'], {
    config: service.settingsFile,
  });
  if (stderr !== '') throw new Error(stderr);
  return { service, headers: { authorization: `Bearer ${stdout.trim()}` } };
}

async function timeOf({ service, headers }: Subject, path: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${service.url}/api/admin/${path}`, { headers });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`);
  return performance.now() - started;
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Alternates between subjects, so that the machine's load affects both alike. */
async function compare({ path }: ScaleRequest, subjects: readonly Subject[]): Promise<number[]> {
  const times = subjects.map((): number[] => []);
  for (let turn = 0; turn <= repeats; turn++)
    for (const [index, subject] of subjects.entries()) {
      const taken = await timeOf(subject, path);
      // The first run also compiles and fills caches.
      if (turn > 0) times[index]?.push(taken);
    }
  return times.map(median);
}

const platforms = await openPlatforms(engine, values.keep);
const urls: string[] = [];
for (const players of [values.small, values.rows]) urls.push(await platforms.open(Number(players)));
const subjects = await Promise.all(urls.map(start));
console.log(
  `${engine}: milliseconds with ${values.small} and with ${values.rows} players, median of ${repeats}`,
);
for (const request of requests.filter(({ name }) => name.includes(values.only))) {
  const [before = 0, after = 0] = await compare(request, subjects);
  const isSlow = after > SLOW_MS && after > before * SLOW_RATIO;
  const cells = [before.toFixed(1), after.toFixed(1), (after / before).toFixed(1)].map((cell) =>
    cell.padStart(9),
  );
  console.log(`${request.name.padEnd(36)}${cells.join('')}${isSlow ? '  slow' : ''}`);
  if (isSlow) process.exitCode = 1;
}
for (const { service } of subjects) await service.stop();
await platforms.close();
