import { readFileSync } from 'node:fs';
import type { RestartableServer } from '../../../test-support/server.ts';

export interface MemorySample {
  /** Milliseconds since the load began. */
  readonly at: number;
  /** Sum over all processes of the service. */
  readonly megabytes: number;
}

const EVERY_MS = 2000;
const PAGE_BYTES = 4096;

/** Samples the memory of the processes; skipped while one is dead. */
export function watchMemory(
  services: readonly RestartableServer[],
  now: () => number,
): { samples: readonly MemorySample[]; stop(): void } {
  const samples: MemorySample[] = [];
  const timer = setInterval(() => {
    if (!services.every((service) => service.isRunning)) return;
    const pages = services.map((service) => residentPages(service.pid));
    if (pages.includes(0)) return;
    const megabytes = (pages.reduce((sum, each) => sum + each, 0) * PAGE_BYTES) / 1e6;
    samples.push({ at: now(), megabytes });
  }, EVERY_MS);
  return { samples, stop: () => clearInterval(timer) };
}

/** Returns the ratio of the last quarter's median to the second's: 1 is flat. The first quarter is warm-up. */
export function memoryGrowth(samples: readonly MemorySample[]): number {
  const quarter = (index: number) => {
    const from = Math.floor((samples.length * index) / 4);
    const part = samples.slice(from, Math.floor((samples.length * (index + 1)) / 4));
    return median(part.map(({ megabytes }) => megabytes));
  };
  return quarter(3) / quarter(1);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function residentPages(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  } catch {
    return 0;
  }
}
