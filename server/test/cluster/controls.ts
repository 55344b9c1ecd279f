import { faults } from './faults.ts';
import type { Parts } from './parts.ts';
import { runCluster } from './run.ts';

const planOf = (...names: string[]) => faults.filter(({ name }) => names.includes(name));
const rates = { chat: 60 };

/** The two wrong services, each put through the fault that shows it; the run must report what they lose or double. */
export async function runControls(options: {
  parts: Parts;
  folder: string;
  seed: number;
}): Promise<{ lost: number; doubled: number }> {
  const early = await runCluster({
    ...options,
    rates,
    variant: 'early-answer',
    plan: [...planOf('service killed'), ...planOf('service killed')],
  });
  const blind = await runCluster({
    ...options,
    rates,
    variant: 'blind-retry',
    plan: planOf('database node frozen'),
  });
  return {
    lost: early.violations['chat records lost'] ?? 0,
    doubled: blind.violations['chat records doubled'] ?? 0,
  };
}
