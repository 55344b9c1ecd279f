import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MissingProgram, requireExecutable } from './executables.ts';
import { executeAt, storageArgs } from './mariadb.ts';
import { freePort } from './process.ts';

/** The address of one node, and its ports: for clients, group communication, incremental and full state transfer. */
export type NodePorts = { host: string; port: number; group: number; transfer: number; snapshot: number };

export type Position = { group: string; seqno: number };

const libraries = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** Returns the Galera library, which makes a MariaDB a cluster node. */
export function findGaleraLibrary(): string | undefined {
  return libraries.find((file) => existsSync(file));
}

export async function freeNodePorts(host = '127.0.0.1'): Promise<NodePorts> {
  return {
    host,
    port: await freePort(),
    group: await freePort(),
    transfer: await freePort(),
    snapshot: await freePort(),
  };
}

/** Detects a dead or frozen node within two seconds. */
function providerOptions({ host, group, transfer }: NodePorts): string {
  const options = {
    'gmcast.listen_addr': `tcp://${host}:${group}`,
    'ist.recv_addr': `${host}:${transfer}`,
    'gcache.size': '32M',
    'evs.suspect_timeout': 'PT1S',
    'evs.inactive_timeout': 'PT2S',
    'evs.inactive_check_period': 'PT0.25S',
    'evs.keepalive_period': 'PT0.25S',
    'evs.join_retrans_period': 'PT0.25S',
    'evs.install_timeout': 'PT2S',
    // After a total crash, an operator (here: `recover`) decides which node was most advanced.
    'pc.recovery': 'FALSE',
  };
  return Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

function clusterArgs(members: readonly NodePorts[]): string[] {
  const library = findGaleraLibrary();
  if (library === undefined) throw new MissingProgram('galera');
  return [
    '--wsrep-on=ON',
    `--wsrep-provider=${library}`,
    `--wsrep-cluster-address=gcomm://${members.map(({ host, group }) => `${host}:${group}`).join(',')}`,
    '--binlog-format=ROW',
  ];
}

export function nodeArgs(options: {
  name: string;
  ports: NodePorts;
  members: readonly NodePorts[];
}): string[] {
  const { name, ports, members } = options;
  return [
    ...clusterArgs(members),
    `--wsrep-provider-options=${providerOptions(ports)}`,
    '--wsrep-cluster-name=gatehouse',
    `--wsrep-node-name=${name}`,
    `--wsrep-node-address=${ports.host}`,
    `--wsrep-node-incoming-address=${ports.host}:${ports.port}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=${ports.host}:${ports.snapshot}`,
    '--innodb-autoinc-lock-mode=2',
    '--innodb-snapshot-isolation=ON',
  ];
}

/**
 * A daemon started by root runs as nobody, who cannot enter our folders. The state transfer script is bash, sources this first,
 * and calls the function instead of the program.
 */
const rsyncAsRoot = `rsync() {
  if [ "$1" = --daemon ] && [ "$(id -u)" = 0 ]; then
    shift
    exec rsync --daemon --dparam=uid=root --dparam=gid=root "$@"
  fi
  command rsync "$@"
}
`;

export function nodeEnvironment(folder: string): NodeJS.ProcessEnv {
  const file = join(folder, 'rsync.sh');
  writeFileSync(file, rsyncAsRoot);
  return { ...process.env, BASH_ENV: file };
}

export type NodeStatus = {
  isSynced: boolean;
  /** False if the node has left the group; it does not rejoin on its own. */
  isConnected: boolean;
  /** The cluster size as this node sees it. */
  size: number;
  /** Number of the last membership change that the node has applied. */
  view: string | undefined;
};

export async function nodeStatus(url: string): Promise<NodeStatus> {
  const rows = (await executeAt(url, "SHOW STATUS LIKE 'wsrep_%'")) as {
    Variable_name: string;
    Value: string;
  }[];
  const status = new Map(rows.map((row) => [row.Variable_name, row.Value]));
  return {
    isSynced: status.get('wsrep_ready') === 'ON' && status.get('wsrep_local_state') === '4',
    isConnected: status.get('wsrep_connected') === 'ON',
    size: Number(status.get('wsrep_cluster_size')),
    view: status.get('wsrep_cluster_conf_id'),
  };
}

const stateFile = (dataDir: string) => join(dataDir, 'grastate.dat');

/** A node that reports its position gets an incremental transfer; otherwise it is copied as a whole. */
export async function startPosition(dataDir: string): Promise<string[]> {
  if (!existsSync(stateFile(dataDir))) return [];
  const { group, seqno } = await recoveredPosition(dataDir);
  return seqno < 0 ? [] : [`--wsrep-start-position=${group}:${seqno}`];
}

/** Returns how far a stopped node got, as recorded in its storage. */
export async function recoveredPosition(dataDir: string): Promise<Position> {
  const folder = dirname(dataDir);
  const { stderr } = await promisify(execFile)(
    requireExecutable('mariadbd'),
    [
      ...storageArgs(dataDir),
      ...clusterArgs([]),
      `--tmpdir=${folder}`,
      `--socket=${join(folder, 'recover.sock')}`,
      '--skip-networking',
      '--wsrep-recover',
    ],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  const [, group = '', seqno = '-1'] = /Recovered position: ([0-9a-f-]+):(-?\d+)/.exec(stderr) ?? [];
  return { group, seqno: Number(seqno) };
}

export function allowBootstrap(dataDir: string): void {
  const state = readFileSync(stateFile(dataDir), 'utf8');
  writeFileSync(stateFile(dataDir), state.replace('safe_to_bootstrap: 0', 'safe_to_bootstrap: 1'));
}
