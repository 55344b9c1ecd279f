import { readFileSync, statSync } from 'node:fs';
import { connect, isIP } from 'node:net';
import type { Host } from './host-list.ts';

/** How a connection is encrypted, as its address says: `?tls=true&ca=FILE&cert=FILE&key=FILE`. */
export interface TlsFiles {
  /** Who may sign the server's certificate; the system's authorities where it is left out. */
  readonly ca?: string;
  /** Our own certificate and its key, where the server wants one. */
  readonly cert?: string;
  readonly key?: string;
  /** `tls=unverified`: encrypted, but anybody may be at the other end. */
  readonly unverified?: true;
}

const MAX_FILE_BYTES = 1024 * 1024;
const FILES = ['ca', 'cert', 'key'] as const;

/** What the query of an address says; false where it cannot be understood, undefined where the link is in clear. */
export function parseTls(query: string, always = false): TlsFiles | undefined | false {
  const given = new URLSearchParams(query);
  const mode = given.get('tls') ?? (always || query !== '' ? 'true' : 'false');
  const known = [...given.keys()].every((name) => name === 'tls' || FILES.includes(name as 'ca'));
  const pair = given.has('cert') === given.has('key');
  if (!known || !pair || !['true', 'false', 'unverified'].includes(mode)) return false;
  if (mode === 'false') return always || FILES.some((name) => given.has(name)) ? false : undefined;
  const files = FILES.map((name) => [name, given.get(name)] as const).filter(([, file]) => file !== null);
  if (files.some(([, file]) => file === '')) return false;
  return { ...Object.fromEntries(files), ...(mode === 'unverified' && { unverified: true }) };
}

/** Read at every connection, so that a renewed certificate is used without a restart. */
export function readTls({ unverified, ...files }: TlsFiles) {
  const contents = Object.entries(files).map(([name, file]) => [name, readSmallFile(file)] as const);
  return {
    ...(Object.fromEntries(contents) as Partial<Record<'ca' | 'cert' | 'key', Buffer>>),
    rejectUnauthorized: !unverified,
  };
}

/** Refuses devices, pipes and huge files, which would keep the process reading. */
function readSmallFile(file: string): Buffer {
  const found = statSync(file);
  if (!found.isFile() || found.size > MAX_FILE_BYTES)
    throw new Error(`${file} is no regular file of at most 1 MiB`);
  return readFileSync(file);
}

/** As the MySQL driver wants it, which would otherwise not compare the name in the certificate. */
export function mysqlTls(tls: TlsFiles | undefined, { host, port }: Host) {
  if (tls === undefined) return undefined;
  const ssl = { ...readTls(tls), verifyIdentity: !tls.unverified };
  if (tls.unverified || isIP(host) === 0) return { ssl };
  // For an address it compares the certificate with `localhost`. With a final dot, which Node's comparison takes away, it
  // does not see an address; the connection itself is then made by us.
  const stream = () => connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 });
  return { ssl, host: `${host}.`, stream };
}
