import { faults } from './faults.ts';
import { runCluster } from './run.ts';

const planOf = (...names: string[]) => faults.filter(({ name }) => names.includes(name));
const rates = { chat: 60 };

/** How often a fault may miss the moment that reveals a wrong service: killing a process with unwritten data is chance. */
const MAX_TRIES = 5;

type ClusterRun = Parameters<typeof runCluster>[0];
type ControlRun = Pick<ClusterRun, 'parts' | 'folder' | 'seed'>;

/** Runs both wrong services, each with the fault that reveals it; the run must report what they lose or duplicate. */
export async function runControls(options: ControlRun): Promise<{ lost: number; doubled: number }> {
  const killedTwice = [...planOf('service killed'), ...planOf('service killed')];
  const frozen = planOf('database node frozen');
  return {
    lost: await untilShown('chat records lost', options, { variant: 'early-answer', plan: killedTwice }),
    doubled: await untilShown('chat records doubled', options, { variant: 'blind-retry', plan: frozen }),
  };
}

async function untilShown(
  violation: string,
  options: ControlRun,
  wrong: Pick<ClusterRun, 'variant' | 'plan'>,
): Promise<number> {
  let count = 0;
  for (let tries = 0; count === 0 && tries < MAX_TRIES; tries++) {
    const { violations } = await runCluster({ ...options, ...wrong, rates, seed: options.seed + tries });
    count = violations[violation] ?? 0;
  }
  return count;
}
