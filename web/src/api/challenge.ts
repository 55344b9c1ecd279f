import type { Problem } from '@gatehouse/contract/player';
import type { Payload } from 'altcha-lib/v1/types';

export type Challenge = Exclude<Problem['challenge'], string | undefined>;

/** Solves a challenge in a worker, so that the page stays usable. Returns null if this browser cannot. */
export async function solveChallenge(challenge: Challenge): Promise<string | null> {
  const number = await countInWorker(challenge);
  if (number === null) return null;
  const { algorithm, challenge: hash, salt, signature } = challenge;
  const payload = { algorithm: algorithm as Payload['algorithm'], challenge: hash, number, salt, signature };
  return btoa(JSON.stringify(payload satisfies Payload));
}

function countInWorker({ algorithm, challenge, salt, maxnumber }: Challenge): Promise<number | null> {
  const worker = new Worker(new URL('./challenge-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<{ number: number } | null>) => resolve(data?.number ?? null);
    worker.onerror = () => resolve(null);
    worker.postMessage({ type: 'work', payload: { algorithm, challenge, salt, max: maxnumber, start: 0 } });
  }).finally(() => worker.terminate());
}
