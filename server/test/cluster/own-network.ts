import { spawnSync } from 'node:child_process';
import { findExecutable } from '../../../test-support/executables.ts';
import { createSplitNetwork, type SplitNetwork } from '../../../test-support/split-network.ts';
import { firstInstancePlace, PLACES } from './parts.ts';

/** Marks a process that has a network namespace of its own. */
export const OWN_NETWORK = 'own-network';

/** Replaces this program by itself in a network namespace of its own. Returns if that is not possible here. */
export function enterOwnNetwork(): void {
  const unshare = findExecutable('unshare');
  const canCreate = unshare !== undefined && findExecutable('ip') !== undefined && process.getuid?.() === 0;
  if (!canCreate || spawnSync(unshare, ['--net', 'true']).status !== 0) return;
  process.execve?.(unshare, [
    unshare,
    '--net',
    process.execPath,
    ...process.argv.slice(1),
    `--${OWN_NETWORK}`,
  ]);
}

/** A place for each database node and for each instance of the service, removed when this process ends. */
export function createClusterNetwork(): SplitNetwork {
  const network = createSplitNetwork(PLACES);
  process.on('exit', () => network.close());
  for (const place of network.places.keys()) if (place >= firstInstancePlace) network.shareLoopback(place);
  return network;
}
