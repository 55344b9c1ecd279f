import { spawnSync } from 'node:child_process';
import { findExecutable } from '../test-support/executables.ts';
import { installLine, missingPrograms, type ProgramUser, packagesFor } from '../test-support/programs.ts';

/**
 * Keeps Debian from starting services on installation, because the tests start their own. An existing policy-rc.d belongs to the
 * operator and is kept.
 */
const installScript = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  trap 'exit 130' INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > $policy
  chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update && apt-get install -y --no-install-recommends "$@"
`;

/**
 * Installs the programs that a tier of the tests or the benchmark needs. Returns those that cannot be installed here, because there
 * is no apt-get or no right to use it. Exits with apt-get's status if the installation itself fails.
 */
export function installMissing(user?: ProgramUser): string[] {
  const missing = missingPrograms(user);
  if (missing.length === 0) return [];
  const asRoot = findExecutable('apt-get') === undefined ? undefined : rootPrefix();
  if (asRoot === undefined) return missing;
  const packages = packagesFor(missing);
  console.log(`setup: installing ${packages.join(', ')}`);
  const [command = 'sh', ...args] = [...asRoot, 'sh', '-c', installScript, 'setup', ...packages];
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  return [];
}

/** Returns the command prefix to become root, or undefined if that needs a password. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  const { status } = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return status === 0 ? ['sudo', '-n'] : undefined;
}

if (import.meta.main) {
  const missing = installMissing();
  if (missing.length > 0) {
    console.error(`setup: the tests need ${missing.join(', ')}. Install with:\n  ${installLine(missing)}`);
    process.exitCode = 1;
  } else console.log('setup: everything the tests need is installed');
}
