import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { findExecutable } from '../test-support/executables.ts';
import { blocksOf, type Secrets, type Step, stepsFor } from './install/page.ts';
import { openTree, type Ran, type Tree } from './install/tree.ts';

const usage = `npm run test:install -- [PAGE] [--package FILE]
Runs the blocks of an install page (docs/install.md unless said otherwise), in order, in a fresh Debian with MariaDB, Redis and
nginx. With --package the release FILE is installed instead of a copy of the repository. Needs root, debootstrap and a network.`;

const root = resolve(import.meta.dirname, '..');
const PUBLIC_NAME = 'play.example.com';
const CERTIFICATE = `/etc/ssl/${PUBLIC_NAME}.pem`;
const SETTINGS = '/etc/gatehouse/gatehouse.toml';
/** Names and addresses of the page; all of them are the loopback of the tree. */
const HOSTS = `127.0.0.1 localhost smtp.example.com\n10.0.0.5 game1.example.com\n10.0.0.10 ${PUBLIC_NAME}\n`;

/** What stands before the page's first line: Node, the repository, and the other systemctl. */
function prepare(tree: Tree, packageFile: string | undefined): void {
  writeFileSync(tree.path('/etc/hosts'), HOSTS);
  // Debian starts what it installs by systemd; here it is started afterwards.
  writeFileSync(tree.path('/usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  copyFileSync(join(root, 'scripts/install/systemctl'), tree.path('/usr/local/sbin/systemctl'));
  chmodSync(tree.path('/usr/local/sbin/systemctl'), 0o755);

  // The machine's own Node, not the one of the dependencies: that comes by itself.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const node = execFileSync('which', ['node'], { env: { PATH: path.join(':') }, encoding: 'utf8' }).trim();
  const npm = dirname(dirname(process.env.npm_execpath ?? ''));
  copyFileSync(node, tree.path('/usr/local/bin/node'));
  mkdirSync(tree.path('/usr/local/lib/node_modules'), { recursive: true });
  cpSync(npm, tree.path('/usr/local/lib/node_modules/npm'), { recursive: true });
  mustRun(tree.run('ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && npm --version'));

  // Git resolves the path of the tree, which leads nowhere from here.
  using copy = mkdtempDisposableSync(join(tmpdir(), 'gatehouse-repository-'));
  execFileSync('git', ['clone', '--quiet', '--bare', '--depth=1', `file://${root}`, copy.path]);
  cpSync(copy.path, tree.path('/srv/gatehouse.git'), { recursive: true });
  mustRun(tree.run('chown -R root:root /srv && apt-get update', { network: true }));
  if (packageFile !== undefined) copyFileSync(packageFile, tree.path('/root/gatehouse-0.2.0.tgz'));
}

/** What Debian would have started, and a certificate in the place of a public authority's. */
function afterPackages(tree: Tree): void {
  for (const service of ['mariadb', 'redis-server', 'nginx']) mustRun(tree.run(`service ${service} start`));
  mustRun(
    tree.run(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${PUBLIC_NAME} -addext subjectAltName=DNS:${PUBLIC_NAME} -keyout ${CERTIFICATE.replace('.pem', '.key')} -out ${CERTIFICATE}`,
    ),
  );
}

/** The tables of the page's block over those of the file, which keeps its owner and mode. */
function changeSettings(tree: Tree, block: string): void {
  const file = tree.path(SETTINGS);
  const settings = parse(readFileSync(file, 'utf8'));
  for (const [table, values] of Object.entries(parse(block)))
    settings[table] = { ...(settings[table] as TomlTable | undefined), ...(values as TomlTable) };
  writeFileSync(file, stringify(settings));
}

async function startSurroundings(tree: Tree, secrets: Secrets) {
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

/** systemctl answers at once; whoever follows the page by hand takes longer than the service to start. */
function waitUntilReady(tree: Tree): void {
  const ask = `fetch('http://127.0.0.1:3001/api/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`;
  mustRun(tree.run(`for i in $(seq 240); do node -e "${ask}" && exit 0; sleep 0.5; done; exit 1`));
}

function mustRun(ran: Ran): Ran {
  if (ran.status !== 0) throw new Error(`status ${ran.status}:\n${ran.output}`);
  return ran;
}

function runBlock(tree: Tree, step: Step, text: string): Ran {
  if (step.how === 'sql') return mustRun(tree.run(`mariadb <<'SQL'\n${text}SQL`));
  const folder = '/run/install-page-folder';
  const script = `cd "$(cat ${folder} 2>/dev/null || echo /root)"\nset -e\n${text}pwd > ${folder}\n`;
  // The certificate is nobody's whom Node knows.
  const env = [`NODE_EXTRA_CA_CERTS=${CERTIFICATE}`];
  const ran = tree.run(script, { network: step.how === 'network', env });
  if (step.mayFail === undefined) return mustRun(ran);
  const failed = [...ran.output.matchAll(/^failed +(.+?) {2}/gm)].map(([, check]) => check ?? '');
  if (failed.some((check) => !step.mayFail?.includes(check)) || ran.status > 1)
    throw new Error(`only ${step.mayFail.join(', ')} may fail here:\n${ran.output}`);
  return ran;
}

async function follow(tree: Tree, page: string, packageFile: string | undefined): Promise<void> {
  const secret = () => randomBytes(12).toString('hex');
  const secrets: Secrets = {
    database: secret(),
    games: secret(),
    mail: secret(),
    passwordKey: secret(),
    jwtSecret: '',
  };
  let surroundings: Awaited<ReturnType<typeof startSurroundings>> | undefined;
  const blocks = blocksOf(readFileSync(page, 'utf8')).map((block) => {
    const [step, ...others] = stepsFor(block);
    if (!step || others.length > 0) throw new Error(`not one step for this block:\n${block.text}`);
    return { ...block, step };
  });
  const otherWay = blocks.find(({ step }) => step.how === 'other way')?.text ?? '';

  prepare(tree, packageFile);
  for (const { heading, text, step } of blocks) {
    if (step.how === 'other way') continue;
    let adapted = step.adapt?.(text, secrets) ?? text;
    if (step.name === 'service' && packageFile !== undefined)
      adapted = adapted.replace(/^git clone .*\n.*npm ci.*\n/m, () => otherWay);
    const began = Date.now();
    if (step.how === 'settings') changeSettings(tree, adapted);
    else {
      const { output } = runBlock(tree, step, adapted);
      if (step.name === 'packages') afterPackages(tree);
      if (step.name === 'systemd') waitUntilReady(tree);
      if (step.name === 'settings file') secrets.jwtSecret = output.trim().split('\n').at(-1) ?? '';
      if (/doctor/.test(step.matches.source)) console.log(output.trimEnd().replace(/^/gm, '    '));
    }
    if (step.name === 'game databases') surroundings = await startSurroundings(tree, secrets);
    console.log(
      `ok  ${heading}: ${step.name} (${((Date.now() - began) / 1000).toFixed(1)} s)${step.replaced ? `; replaced: ${step.replaced}` : ''}`,
    );
  }
  const visited = await surroundings?.visit();
  if (visited !== 'ok') throw new Error(`a player at https://${PUBLIC_NAME}: ${visited}`);
  console.log(`ok  a player registered and logged in at https://${PUBLIC_NAME}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { package: { type: 'string' } },
});
const missing = ['debootstrap', 'unshare', 'nsenter', 'ip', 'git'].filter((each) => !findExecutable(each));
if (process.getuid?.() !== 0 || missing.length > 0) {
  console.error(`${usage}\nmissing: ${missing.join(', ') || 'root'}`);
  process.exit(1);
}
const tree = await openTree({
  cache: join(root, 'node_modules/.cache/install'),
  addresses: ['10.0.0.5', '10.0.0.10'],
});
try {
  await follow(tree, resolve(positionals[0] ?? join(root, 'docs/install.md')), values.package);
} catch (error) {
  console.error(`failed: ${(error as Error).message}`);
  const log = tree.run('tail -n 20 /var/log/gatehouse.journal').output;
  console.error(log);
  process.exitCode = 1;
} finally {
  tree.close();
}
process.exit();
