import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Secrets } from './page.ts';
import { mustRun, type Tree } from './tree.ts';

const root = resolve(import.meta.dirname, '../..');
export const PUBLIC_NAME = 'play.example.com';
export const CERTIFICATE = `/etc/ssl/${PUBLIC_NAME}.pem`;
/** Names and addresses used on the page; all are loopback addresses of the tree. */
const HOSTS = `127.0.0.1 localhost smtp.example.com\n10.0.0.5 game1.example.com\n10.0.0.10 ${PUBLIC_NAME}\n`;

/** Sets up what the page presupposes: Node, the repository, and the replaced systemctl. */
export function prepare(tree: Tree, packageFile: string | undefined): void {
  writeFileSync(tree.path('/etc/hosts'), HOSTS);
  // Keep Debian from starting installed services by systemd; they are started afterwards.
  writeFileSync(tree.path('/usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  copyFileSync(join(root, 'scripts/install/systemctl'), tree.path('/usr/local/sbin/systemctl'));
  chmodSync(tree.path('/usr/local/sbin/systemctl'), 0o755);

  // Use the machine's own Node, not the one in node_modules, which npm installs.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const node = execFileSync('which', ['node'], { env: { PATH: path.join(':') }, encoding: 'utf8' }).trim();
  const npm = dirname(dirname(process.env.npm_execpath ?? ''));
  copyFileSync(node, tree.path('/usr/local/bin/node'));
  mkdirSync(tree.path('/usr/local/lib/node_modules'), { recursive: true });
  cpSync(npm, tree.path('/usr/local/lib/node_modules/npm'), { recursive: true });
  mustRun(tree.run('ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && npm --version'));

  // Git would resolve the tree's path, which is not valid here.
  using copy = mkdtempDisposableSync(join(tmpdir(), 'gatehouse-repository-'));
  execFileSync('git', ['clone', '--quiet', '--bare', '--depth=1', `file://${root}`, copy.path]);
  cpSync(copy.path, tree.path('/srv/gatehouse.git'), { recursive: true });
  mustRun(tree.run('chown -R root:root /srv && apt-get update', { network: true }));
  if (packageFile !== undefined) copyFileSync(packageFile, tree.path('/root/gatehouse-0.2.0.tgz'));
}

/** Starts the services that Debian would have started, and creates a certificate in place of a public one. */
export function afterPackages(tree: Tree): void {
  for (const service of ['mariadb', 'redis-server', 'nginx']) mustRun(tree.run(`service ${service} start`));
  mustRun(
    tree.run(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${PUBLIC_NAME} -addext subjectAltName=DNS:${PUBLIC_NAME} -keyout ${CERTIFICATE.replace('.pem', '.key')} -out ${CERTIFICATE}`,
    ),
  );
}

export async function startSurroundings(tree: Tree, secrets: Secrets) {
  const game = randomBytes(12).toString('hex');
  const sql = `CREATE USER game@localhost IDENTIFIED BY '${game}'; GRANT ALL ON mir_actor_s1.* TO game@localhost;`;
  mustRun(tree.run(`mariadb -e "${sql}"`));
  const child = tree.start(process.execPath, [join(root, 'scripts/install/surroundings.ts')], {
    ...process.env,
    MAIL_PASSWORD: secrets.mail,
    GAME_DATABASE: `mysql://game:${game}@127.0.0.1:3306`,
    PUBLIC_URL: `https://${PUBLIC_NAME}`,
    NODE_EXTRA_CA_CERTS: tree.path(CERTIFICATE),
  });
  if (!child.stdout || !child.stdin) throw new Error('no pipes to the surroundings');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  if ((await next()) !== 'ready') throw new Error('the surroundings did not start');
  const { stdin } = child;
  return {
    visit() {
      stdin.write('visit\n');
      return next();
    },
  };
}

/** Waits for the service. systemctl returns immediately; a person following the page takes longer than the start. */
export function waitUntilReady(tree: Tree): void {
  const ask = `fetch('http://127.0.0.1:3001/api/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`;
  mustRun(tree.run(`for i in $(seq 240); do node -e "${ask}" && exit 0; sleep 0.5; done; exit 1`));
}
