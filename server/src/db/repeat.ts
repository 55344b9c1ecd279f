import { setTimeout as sleep } from 'node:timers/promises';

const maxTries = 40;
const timeoutMs = 8000;

/** Retries with increasing delay while the error says that nothing has happened yet. */
export async function repeatWhile<T>(
  nothingHappened: (error: unknown) => boolean,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!nothingHappened(error) || tries === maxTries || performance.now() > deadline) throw error;
      await sleep(Math.random() * Math.min(400, 5 * 2 ** tries));
    }
  }
}
