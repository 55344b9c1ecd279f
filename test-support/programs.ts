import { findExecutable } from './executables.ts';
import { findGaleraLibrary } from './galera-node.ts';
import { findPhpFpm } from './php-fpm.ts';
import { findFaketimeLibrary } from './shifted-clock.ts';

/** Debian packages of each program that the first tier of the tests runs. */
const firstTier: Record<string, readonly string[]> = {
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
  'php-fpm': ['php-fpm', 'php-mysql'],
};
/** Of the programs that the slow tier runs too. */
const slowTier: Record<string, readonly string[]> = {
  prometheus: ['prometheus'],
  promtool: ['prometheus'],
  'php-fpm': ['php-fpm', 'php-mysql'],
};
/** Of programs that a few tests need and setup does not install: those tests are listed as not tried without them. */
const optional: Record<string, readonly string[]> = { php: ['php-cli'], python3: ['python3'] };
const packagesOf: Record<string, readonly string[]> = {
  ...firstTier,
  ...slowTier,
  ...optional,
  wrk: ['wrk'],
};

const programsOf = {
  first: Object.keys(firstTier),
  slow: Object.keys({ ...firstTier, ...slowTier }),
  bench: ['wrk', 'mariadbd', 'mariadb-install-db', 'nginx', 'php-fpm'],
};
export type ProgramUser = keyof typeof programsOf;

/** Finders for libraries and for programs with more than one name. */
const finders: Record<string, () => string | undefined> = {
  galera: findGaleraLibrary,
  faketime: findFaketimeLibrary,
  chromium: findChromium,
  'php-fpm': findPhpFpm,
};

/** Prefers the headless shell, Chromium without a user interface: a page costs a third less CPU time in it. */
export function findChromium(): string | undefined {
  const candidates = ['chromium-headless-shell', 'chromium', 'google-chrome'];
  return process.env.CHROMIUM ?? candidates.map(findExecutable).find((path) => path !== undefined);
}

/** Returns the programs that a tier of the tests or the benchmark needs and this machine lacks. */
export function missingPrograms(user: ProgramUser = 'first'): string[] {
  return programsOf[user].filter((name) => (finders[name] ?? findExecutable)(name) === undefined);
}

export function packagesFor(programs: readonly string[]): string[] {
  return [...new Set(programs.flatMap((program) => packagesOf[program] ?? []))];
}

export function installLine(programs: readonly string[]): string {
  const packages = packagesFor(programs).join(' ');
  return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages}`;
}
