import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MissingProgram, requireExecutable } from './executables.ts';
import { executeAt, storageArgs } from './mariadb.ts';
import { freePort } from './process.ts';

/** The ports of one node: for clients, for the group, for what a node missed, for a copy of everything. */
export type NodePorts = { port: number; group: number; transfer: number; snapshot: number };

export type Position = { group: string; seqno: number };

const libraries = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** Where the package puts the library that makes a MariaDB a node. */
export function findGaleraLibrary(): string | undefined {
  return libraries.find((file) => existsSync(file));
}

export async function freeNodePorts(): Promise<NodePorts> {
  return {
    port: await freePort(),
    group: await freePort(),
    transfer: await freePort(),
    snapshot: await freePort(),
  };
}

/** A dead or frozen node is noticed within two seconds. */
function providerOptions({ group, transfer }: NodePorts): string {
  const options = {
    'gmcast.listen_addr': `tcp://127.0.0.1:${group}`,
    'ist.recv_addr': `127.0.0.1:${transfer}`,
    'gcache.size': '32M',
    'evs.suspect_timeout': 'PT1S',
    'evs.inactive_timeout': 'PT2S',
    'evs.inactive_check_period': 'PT0.25S',
    'evs.keepalive_period': 'PT0.25S',
    'evs.join_retrans_period': 'PT0.25S',
    'evs.install_timeout': 'PT2S',
    // After the death of all, a person (here: `recover`) decides who was furthest.
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
    `--wsrep-cluster-address=gcomm://${members.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
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
    '--wsrep-node-address=127.0.0.1',
    `--wsrep-node-incoming-address=127.0.0.1:${ports.port}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${ports.snapshot}`,
    '--innodb-autoinc-lock-mode=2',
    '--innodb-snapshot-isolation=ON',
  ];
}

/**
 * A daemon that root starts serves as nobody, who may not enter our folders. The script that copies a node is bash,
 * reads this first, and takes the function for the program.
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
  /** False when the node has given up on the group; it does not come back by itself. */
  isConnected: boolean;
  /** How many nodes it believes there are. */
  size: number;
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
  };
}

const stateFile = (dataDir: string) => join(dataDir, 'grastate.dat');

/** A node that says where it stood is sent what it missed; one that does not is copied as a whole. */
export async function startPosition(dataDir: string): Promise<string[]> {
  if (!existsSync(stateFile(dataDir))) return [];
  const { group, seqno } = await recoveredPosition(dataDir);
  return seqno < 0 ? [] : [`--wsrep-start-position=${group}:${seqno}`];
}

/** How far a node that is down got, as its own storage tells. */
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
