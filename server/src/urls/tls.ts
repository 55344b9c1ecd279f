import { readFileSync, statSync } from 'node:fs';
import { connect, isIP } from 'node:net';
import type { Host } from './host-list.ts';

/** TLS parameters of a URL: `?tls=true&ca=FILE&cert=FILE&key=FILE`. */
export interface TlsFiles {
  /** Authority of the server's certificate; defaults to the system's authorities. */
  readonly ca?: string;
  /** Client certificate and key, if the server requires one. */
  readonly cert?: string;
  readonly key?: string;
  /** `tls=unverified`: encrypted, but the server's identity is not checked. */
  readonly unverified?: true;
}

const MAX_FILE_BYTES = 1024 * 1024;
const FILES = ['ca', 'cert', 'key'] as const;

/** Parses the query of a URL. Returns false if it is invalid, undefined if the connection is not encrypted. */
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

/** Reads the files at every connection, so that a renewed certificate is used without a restart. */
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
    throw new Error(`${file} is not a regular file of at most 1 MiB`);
  return readFileSync(file);
}

/** In the form that makes the MySQL driver compare the name in the certificate. */
export function mysqlTls(tls: TlsFiles | undefined, { host, port }: Host) {
  if (tls === undefined) return undefined;
  const ssl = { ...readTls(tls), verifyIdentity: !tls.unverified };
  if (tls.unverified || isIP(host) === 0) return { ssl };
  // For an IP address the driver compares the certificate with `localhost`. A trailing dot, which Node's comparison strips, keeps
  // it from recognizing the address; we then open the connection ourselves.
  const stream = () => connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 });
  return { ssl, host: `${host}.`, stream };
}
