import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireExecutable } from './executables.ts';
import { tempDir } from './process.ts';

export interface Certificate {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** The CA certificate, a PEM file. */
  readonly ca: string;
  /** Issues a certificate for 127.0.0.1 and this name, valid for servers and clients. */
  issue(name: string): Certificate;
}

/** Creates a certificate authority with openssl; its files are removed after the test. */
export function createAuthority(): Authority {
  const folder = tempDir('certificates');
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) =>
    execFileSync(requireExecutable('openssl'), args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
  );
  return {
    ca: file('ca.pem'),
    issue(name) {
      openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
      writeFileSync(file(`${name}.ext`), `subjectAltName=DNS:${name},IP:127.0.0.1\n`);
      openssl(
        ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-out', `${name}.pem`, '-days', '2', '-extfile', `${name}.ext`],
      );
      return { cert: file(`${name}.pem`), key: file(`${name}.key`) };
    },
  };
}
