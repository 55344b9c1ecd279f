import { lookup } from 'node:dns/promises';
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '@gatehouse/contract';
import { addressList, loopback } from '../../../security/addresses.ts';
import { dataFolders } from '../../../settings/load.ts';
import type { Settings } from '../../../settings/schema.ts';
import { ownUrl } from '../../../urls/own-url.ts';
import { type Finding, failed, isLocal, ok, reasonOf, type Tools, warning } from './finding.ts';

const MEBIBYTE = 1024 * 1024;
/** Below this much free space, writes fail or soon will. */
const FULL_BYTES = 16 * MEBIBYTE;
const LOW_BYTES = 256 * MEBIBYTE;
const MIN_NODE = [26, 0] as const;

/** Examines what depends on no setting. */
export function examineInstallation({ pagesFolder }: Pick<Tools, 'pagesFolder'>): Finding[] {
  return [nodeVersion(process.versions.node), pages(pagesFolder)];
}

/** Examines the files and folders in the settings. */
export function examineFiles(
  settings: Settings,
  settingsFile: string | undefined,
  { readAgreement }: Pick<Tools, 'readAgreement'>,
): Finding[] {
  return [
    ...privacy(settingsFile),
    ...[...new Set(Object.values(dataFolders(settings)))].map(writable),
    agreement(settings.site.agreement, readAgreement),
  ];
}

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MIN_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return ok('node', version);
  return warning(
    'node',
    `${version} is older than ${MIN_NODE.join('.')}`,
    'start it with npm, which installs its own Node, or install a newer one',
  );
}

function pages(folder: string): Finding {
  if (existsSync(join(folder, 'index.html'))) return ok('web pages', 'built');
  return warning(
    'web pages',
    'are not built: only the API is available',
    'build them with: npm run build (not needed if nginx serves them)',
  );
}

function agreement(file: string | undefined, read: Tools['readAgreement']): Finding {
  try {
    read(file);
    return ok('agreement', file ?? 'the default one');
  } catch (error) {
    return failed('agreement', reasonOf(error), 'set site.agreement to a readable file');
  }
}

function privacy(file: string | undefined): Finding[] {
  if (file === undefined || process.platform === 'win32' || (statSync(file).mode & 0o007) === 0) return [];
  return [
    warning('settings', `${file} contains secrets and is readable by everyone`, `run: chmod 600 ${file}`),
  ];
}

/** Checks that a folder is writable. A missing one must be creatable. */
function writable(folder: string): Finding {
  const fix = `create the folder and make the user that runs the service its owner: ${folder}`;
  try {
    const existing = nearest(folder);
    if (!statSync(existing).isDirectory()) return failed('folder', `${existing} is not a folder`, fix);
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(existing);
    const free = `${Math.floor((bavail * bsize) / MEBIBYTE)} MiB free`;
    if (bavail * bsize < FULL_BYTES)
      return failed('folder', `${folder}: ${free}`, `free space on the disk of ${folder}`);
    if (bavail * bsize < LOW_BYTES)
      return warning('folder', `${folder}: ${free}`, `free space on the disk of ${folder}`);
    return ok('folder', `${folder} is writable, ${free}`);
  } catch (error) {
    return failed('folder', `${folder} is not writable: ${reasonOf(error)}`, fix);
  }
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

const SERVICE = 'service';
const START = 'start it with: systemctl start gatehouse; if it fails, see: journalctl -u gatehouse -n 50';

/** Checks the service's readiness at the address it listens on. */
export async function examineService(
  settings: Pick<Settings, 'host' | 'port'>,
  { askPublicly }: Pick<Tools, 'askPublicly'>,
): Promise<Finding> {
  const address = ownUrl(settings);
  if (address === undefined) return ok(SERVICE, 'not checked: it chooses its port automatically');
  try {
    const { status, isOurs } = await askPublicly(address, routes.ready.path);
    if (!isOurs)
      return failed(
        SERVICE,
        `something else answers at ${address}`,
        'stop the process that uses the port, or choose another port',
      );
    if (status === 200) return ok(SERVICE, `${address} is ready`);
    return failed(
      SERVICE,
      `${address} is running but not ready (${status})`,
      'fix what fails below; the service recovers automatically',
    );
  } catch (error) {
    return failed(SERVICE, `nothing answers at ${address}: ${reasonOf(error)}`, START);
  }
}

const PUBLIC_URL = 'public_url from outside';

/**
 * Sends requests to the service as browsers do. Requests reserved for loopback must be refused: behind a proxy that is not in
 * trust_proxy and adds no header, every client looks like a program on this machine.
 */
export async function examinePublicUrl(
  { public_url, port, metrics }: Settings,
  { askPublicly }: Pick<Tools, 'askPublicly'>,
): Promise<Finding> {
  try {
    const addresses = await addressesOf(new URL(public_url).hostname);
    // A machine may resolve its own name to loopback. On another port, a proxy answers.
    if (addresses.every((address) => loopback.has(address)) && portOf(public_url) === port)
      return ok(PUBLIC_URL, 'not checked: it points to this machine');
    const live = await askPublicly(public_url, routes.live.path);
    if (live.status !== 200 || !live.isOurs)
      return warning(
        PUBLIC_URL,
        `${public_url} answers ${live.status}, and is not this service`,
        'correct public_url, or make the proxy forward requests to the service',
      );
    const { status } = await askPublicly(public_url, routes.metrics.path);
    if (status !== 200) return ok(PUBLIC_URL, 'answers and does not give the privileges of loopback');
    if (isReader(metrics.ip))
      return ok(PUBLIC_URL, 'answers; metrics.ip includes this machine, so nothing more can be checked');
    return warning(
      PUBLIC_URL,
      'a request from outside has the privileges of loopback: anyone can read metrics, bind accounts and report chat as a game server',
      'add the proxy to trust_proxy and make it send X-Forwarded-For, as deploy/gatehouse_proxy.conf does',
    );
  } catch (error) {
    return warning(
      PUBLIC_URL,
      `${public_url} cannot be reached from here: ${reasonOf(error)}`,
      'correct public_url, start the service and the proxy, or run this on a machine that can reach it',
    );
  }
}

async function addressesOf(hostname: string): Promise<string[]> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return found.map(({ address }) => address);
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function isReader(readers: readonly string[]): boolean {
  const list = addressList(readers);
  return Object.values(networkInterfaces())
    .flat()
    .some((each) => each !== undefined && list.has(each.address));
}

const REDIS_TIMEOUT_MS = 2000;
/** Timeout while no error has occurred: on a busy machine, connecting may take that long. */
const REDIS_CONNECT_TIMEOUT_MS = 10_000;

export async function examineRedis(
  url: string | undefined,
  { openRedisLimiters }: Pick<Tools, 'openRedisLimiters'>,
): Promise<Finding> {
  if (url === undefined) return ok('redis', 'not used: each process throttles on its own');
  let lastError: unknown;
  let redis: ReturnType<typeof openRedisLimiters> | undefined;
  try {
    redis = openRedisLimiters(url, {
      warn: (fields) => {
        lastError = Reflect.get(fields, 'err') ?? lastError;
      },
    });
    // The client connects in the background and refuses commands until then.
    for (const began = Date.now(); ; await sleep(50)) {
      try {
        await redis.ping();
        return ok('redis', 'answers');
      } catch (error) {
        const timeoutMs = lastError === undefined ? REDIS_CONNECT_TIMEOUT_MS : REDIS_TIMEOUT_MS;
        if (Date.now() - began > timeoutMs) throw lastError ?? error;
      }
    }
  } catch (error) {
    return failed('redis', reasonOf(error), 'start Redis, or correct redis.url');
  } finally {
    redis?.close();
  }
}

export async function examineMail(
  { mail, game, public_url }: Settings,
  { openMailer }: Pick<Tools, 'openMailer'>,
): Promise<Finding> {
  if (mail.url.startsWith('outbox:')) {
    if (isLocal(URL.parse(public_url)?.hostname ?? '')) return ok('mail', 'written to a folder');
    return warning(
      'mail',
      'mails are only written to a folder: players receive no codes',
      'set mail.url to smtp://user:password@host:587',
    );
  }
  const mailer = openMailer({ ...mail, gameName: game.name, log: { warn: () => {} } });
  try {
    await mailer.verify();
    return ok('mail', 'the mail server accepts the login');
  } catch (error) {
    return failed('mail', reasonOf(error), 'correct mail.url, or ask the operator of the mail server');
  } finally {
    mailer.close();
  }
}
