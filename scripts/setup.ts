import { spawnSync } from 'node:child_process';
import { findExecutable } from '../test-support/executables.ts';
import { findGaleraLibrary } from '../test-support/galera-node.ts';
import { findFaketimeLibrary } from '../test-support/shifted-clock.ts';

/** The Debian packages of each program that the tests run. */
const packagesOf: Record<string, string[]> = {
  mariadbd: ['mariadb-server'],
  'mariadb-install-db': ['mariadb-server'],
  'redis-server': ['redis-server'],
  nginx: ['nginx'],
  oathtool: ['oathtool'],
  openssl: ['openssl'],
  rsync: ['rsync'],
  socat: ['socat'],
  ss: ['iproute2'],
  galera: ['galera-4'],
  faketime: ['libfaketime'],
  chromium: ['chromium-headless-shell', 'fonts-noto-cjk'],
};

/**
 * Debian starts a service as it installs it, unless policy-rc.d says no; the tests start their own.
 * A policy that stands there already is the operator's and stays.
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

/** What is a library, or has more than one name. */
const finders: Record<string, () => string | undefined> = {
  galera: findGaleraLibrary,
  faketime: findFaketimeLibrary,
  chromium: () => findExecutable('chromium-headless-shell') ?? findExecutable('chromium'),
};
const find = (what: string) => (finders[what] ?? findExecutable)(what);
const missing = Object.keys(packagesOf).filter((what) => find(what) === undefined);

if (missing.length === 0) console.log('setup: everything the tests need is installed');
else install([...new Set(missing.flatMap((program) => packagesOf[program] ?? []))]);

function install(packages: string[]): void {
  const asRoot = findExecutable('apt-get') === undefined ? undefined : rootPrefix();
  if (asRoot === undefined) {
    console.error(`setup: the tests need ${missing.join(', ')}. Install with:`);
    console.error(
      `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`,
    );
    process.exit(1);
  }
  console.log(`setup: installing ${packages.join(', ')}`);
  const [command = 'sh', ...args] = [...asRoot, 'sh', '-c', installScript, 'setup', ...packages];
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  process.exit(status ?? 1);
}

/** The words before a command that needs root; undefined when we may not become root unasked. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  const { status } = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return status === 0 ? ['sudo', '-n'] : undefined;
}
