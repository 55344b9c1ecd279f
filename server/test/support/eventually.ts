import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an expectation until it holds; the last failure is the test's when it never does. */
export async function eventually(expectation: () => unknown, patienceMs = 10_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return void (await expectation());
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
