import { faults } from './faults.ts';
import type { Parts } from './parts.ts';
import { runCluster } from './run.ts';

const planOf = (...names: string[]) => faults.filter(({ name }) => names.includes(name));
const rates = { chat: 60 };

/** How often a fault may miss the moment at which a wrong service shows: that one is killed with something unwritten is chance. */
const MAX_TRIES = 5;

/** The two wrong services, each put through the fault that shows it; the run must report what they lose or double. */
export async function runControls(options: {
  parts: Parts;
  folder: string;
  seed: number;
}): Promise<{ lost: number; doubled: number }> {
  return {
    lost: await untilShown('chat records lost', (tries) =>
      runCluster({
        ...options,
        seed: options.seed + tries,
        rates,
        variant: 'early-answer',
        plan: [...planOf('service killed'), ...planOf('service killed')],
      }),
    ),
    doubled: await untilShown('chat records doubled', (tries) =>
      runCluster({
        ...options,
        seed: options.seed + tries,
        rates,
        variant: 'blind-retry',
        plan: planOf('database node frozen'),
      }),
    ),
  };
}

async function untilShown(
  violation: string,
  run: (tries: number) => ReturnType<typeof runCluster>,
): Promise<number> {
  let count = 0;
  for (let tries = 0; count === 0 && tries < MAX_TRIES; tries++)
    count = (await run(tries)).violations[violation] ?? 0;
  return count;
}
