import type { Problem } from './contract/player.ts';
import { search } from './search.ts';

export type Challenge = Exclude<Problem['challenge'], string | undefined>;

/** The part of a browser's Worker that is used here. */
interface SearchWorker {
  onmessage: ((event: { data: number | null }) => void) | null;
  onerror: ((event: { preventDefault(): void }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
type WorkerClass = new (url: URL, options: { type: 'module' }) => SearchWorker;

/**
 * Solves a challenge of ALTCHA's first protocol: finds the number whose SHA-256 together with the salt is the given one. Returns
 * the value of X-Challenge-Solution, or null if there is no such number.
 */
export async function solveChallenge(challenge: Challenge, signal?: AbortSignal): Promise<string | null> {
  const { algorithm, challenge: hash, salt, signature } = challenge;
  if (algorithm !== 'SHA-256') return null;
  const number = await searchInWorker(challenge, signal).catch(() => search(challenge, signal));
  return number === null
    ? null
    : btoa(JSON.stringify({ algorithm, challenge: hash, number, salt, signature }));
}

/** Searches in a worker, so that the page stays usable. Rejects if there are no workers, as in Node. */
async function searchInWorker(challenge: Challenge, signal: AbortSignal | undefined): Promise<number | null> {
  const { Worker } = globalThis as unknown as { Worker: WorkerClass };
  const worker = new Worker(new URL('./challenge-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number | null>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error('the worker failed'));
    };
    signal?.addEventListener('abort', () => resolve(null));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
