import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import { instructionsOf, lint } from './install/dockerfile.ts';
import { prepare } from './install/prepare.ts';
import { mustRun, openTree, type Tree } from './install/tree.ts';

// Runs the steps of deploy/Dockerfile in a fresh Debian, without a container engine: npm run test:image. Differences: the base
// image is Debian with the machine's own Node and a user `node`; both stages share one tree, so COPY --from copies nothing; the
// settings come from the environment, as in deploy/compose.yaml, with SQLite.
const root = resolve(import.meta.dirname, '..');
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');

/** Copies the build context: committed files, except those in .dockerignore. */
function copyContext(tree: Tree, folder: string): void {
  const target = tree.path(folder);
  mkdirSync(target, { recursive: true });
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', target], { input: archive });
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  const kept = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const dropped = patterns.filter((line) => !line.startsWith('!'));
  const files = execFileSync('git', ['ls-tree', '-r', '--name-only', '-z', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0');
  for (const file of files.filter(Boolean)) {
    const folders = file.split('/').map((_part, at, parts) => parts.slice(0, at + 1).join('/'));
    const isDropped = dropped.some((pattern) => folders.some((path) => matchesGlob(path, pattern)));
    if (isDropped && !kept.some((pattern) => matchesGlob(file, pattern))) rmSync(join(target, file));
  }
}

const quote = (words: readonly string[]) =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

function follow(tree: Tree): void {
  prepare(tree, undefined);
  mustRun(tree.run('useradd --create-home --uid 1000 node'));
  let [folder, user, health] = ['/', 'root', ''];
  const env = [
    `GATEHOUSE_AUTH_PASSWORD_KEY=${randomBytes(12).toString('hex')}`,
    `GATEHOUSE_AUTH_JWT_SECRET=${randomBytes(32).toString('hex')}`,
    'GATEHOUSE_DATABASE_URL=sqlite:/var/lib/gatehouse/gatehouse.db',
    'GATEHOUSE_MAIL_URL=outbox:/var/lib/gatehouse/outbox',
  ];
  let command: string[] = [];
  for (const { name, rest } of instructionsOf(dockerfile)) {
    const began = Date.now();
    if (name === 'WORKDIR') {
      folder = rest;
      mkdirSync(tree.path(folder), { recursive: true });
    } else if (name === 'COPY' && rest === '. .') copyContext(tree, folder);
    else if (name === 'RUN') mustRun(tree.run(`cd ${folder} && ${rest}`, { network: true }));
    else if (name === 'USER') user = rest;
    else if (name === 'ENV') env.push(rest);
    else if (name === 'HEALTHCHECK') health = quote(JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)));
    else if (name === 'ENTRYPOINT' || name === 'CMD') command = [...command, ...JSON.parse(rest)];
    else if (!['FROM', 'VOLUME', 'EXPOSE', 'COPY'].includes(name))
      throw new Error(`${name} is not known here`);
    console.log(`ok  ${name} ${rest.slice(0, 80)} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
  const asUser = `cd ${folder} && setpriv --reuid ${user} --regid ${user} --clear-groups --bounding-set -all --no-new-privs`;
  mustRun(tree.run(`${asUser} ${quote(command)} > /tmp/service.log 2>&1 < /dev/null &`, { env }));
  mustRun(
    tree.run(
      `for i in $(seq 120); do ${asUser} ${health} && exit 0; sleep 0.5; done; cat /tmp/service.log; exit 1`,
    ),
  );
  console.log(`ok  the health check, as ${user}`);
  console.log(`ok  gatehouse ${mustRun(tree.run(`${asUser} gatehouse --version`, { env })).output.trim()}`);
  const fetchPages = `Promise.all(['/login', '/console/', '/api/config'].map((path) => fetch('http://127.0.0.1:3001' + path).then((r) => console.log(path, r.status)))).catch(() => process.exit(1))`;
  console.log(mustRun(tree.run(`node -e "${fetchPages}"`)).output.trim());
}

const findings = lint(dockerfile);
if (findings.length > 0) throw new Error(findings.join('\n'));
const tree = await openTree({ cache: join(root, 'node_modules/.cache/install'), addresses: [] });
try {
  follow(tree);
} catch (error) {
  console.error(`failed: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  tree.close();
}
process.exit();
