import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const ENVIRONMENT = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
  'DEBIAN_FRONTEND=noninteractive',
];

export interface Ran {
  readonly status: number;
  readonly output: string;
}

export interface Tree {
  /** Returns the host path of a path inside. */
  path(inside: string): string;
  /** Runs a shell script inside; with `network` on the host's network, otherwise on loopback only. */
  run(script: string, options?: { network?: boolean; env?: readonly string[] }): Ran;
  /** Starts a host program on the tree's network, with its host names. */
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess;
  /** Kills every process inside and removes all changes. */
  close(): void;
}

/**
 * Opens a fresh Debian in a folder, with its own paths, users and ports. debootstrap fills `cache` once; later writes go into an
 * overlay that `close` removes. Needs root.
 */
export async function openTree({
  cache,
  addresses,
}: {
  cache: string;
  addresses: readonly string[];
}): Promise<Tree> {
  const base = bootstrap(cache);
  const work = mkdtempSync(join(tmpdir(), 'gatehouse-install-'));
  const root = join(work, 'root');
  for (const folder of ['upper', 'work', 'root']) mkdirSync(join(work, folder));
  const npmCache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  mkdirSync(npmCache, { recursive: true });

  const init = `set -e
mount -t overlay overlay -o lowerdir=${base},upperdir=${work}/upper,workdir=${work}/work ${root}
mount -t proc proc ${root}/proc
mount --rbind /dev ${root}/dev
mkdir -p ${root}/root/.npm && mount --bind ${npmCache} ${root}/root/.npm
cp /etc/resolv.conf ${root}/etc/resolv.conf
touch ${root}/etc/hosts && mount --bind ${root}/etc/hosts /etc/hosts
ip link set lo up
${addresses.map((address) => `ip addr add ${address}/32 dev lo`).join('\n')}
echo ready
exec sleep infinity`;
  const holder = spawn('unshare', ['--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-c', init], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [ready] = await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')]);
  if (String(ready) !== 'ready\n') throw new Error('the tree cannot be mounted: it needs root and overlayfs');
  const pid = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim();
  const enter = (network: boolean) => ['--target', pid, '--mount', '--pid', ...(network ? [] : ['--net'])];

  return {
    path: (inside) => join(`/proc/${pid}/root`, root, inside),
    run(script, { network = false, env = [] } = {}) {
      const args = [
        ...enter(network),
        'chroot',
        root,
        'env',
        '-i',
        ...ENVIRONMENT,
        ...env,
        'sh',
        '-c',
        script,
      ];
      const { status, stdout, stderr } = spawnSync('nsenter', args, {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { status: status ?? 1, output: stdout + stderr };
    },
    start: (command, args, env) =>
      spawn('nsenter', [...enter(false), command, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] }),
    close() {
      holder.kill('SIGKILL');
      rmSync(work, { recursive: true, force: true });
    },
  };
}

export function mustRun(ran: Ran): Ran {
  if (ran.status !== 0) throw new Error(`status ${ran.status}:\n${ran.output}`);
  return ran;
}

function bootstrap(cache: string): string {
  const base = join(cache, SUITE);
  if (existsSync(base)) return base;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${base}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  execFileSync('debootstrap', ['--variant=minbase', SUITE, unfinished, MIRROR], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(unfinished, base);
  return base;
}
