import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { executeAt } from '../../../test-support/mariadb.ts';
import { startNginx } from '../../../test-support/nginx.ts';
import { type PhpFpmOptions, startPhpFpm } from '../../../test-support/php-fpm.ts';
import { freePort } from '../../../test-support/process.ts';
import { createPasswords } from '../../src/security/passwords.ts';

/** The platform that is replaced: login, check, register, password and server list on a GBK table. */
export interface OldPlatform {
  readonly port: number;
  stop(): Promise<void>;
}

export type StartOldPlatform = (databaseUrl: string) => Promise<OldPlatform>;

export const PASSWORD_KEY = 'key of the old platform';
export const passwords = createPasswords(PASSWORD_KEY);

const scripts = resolve(import.meta.dirname, '../../../simulators/src/php-platform');

/** Path and script of each entry. */
const entries = {
  '/api/login': 'login.php',
  '/api/check': 'check.php',
  '/api/register': 'register.php',
  '/api/password': 'password.php',
  '/api/server/list': 'server.php',
};

export const createTables = (databaseUrl: string) =>
  executeAt(databaseUrl, readFileSync(resolve(scripts, 'schema.sql'), 'utf8'));

/** The PHP files with php-fpm behind nginx. */
export async function startPhpPlatform(
  databaseUrl: string,
  { env, prepend }: Partial<PhpFpmOptions> = {},
): Promise<OldPlatform> {
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl);
  const php = await startPhpFpm({
    env: {
      DB_HOST: hostname,
      DB_PORT: databasePort,
      DB_USER: username,
      DB_PASSWORD: password,
      DB_NAME: pathname.slice(1),
      PASSWORD_KEY,
      ...env,
    },
    ...(prepend !== undefined && { prepend }),
  });
  const port = await freePort();
  const toPhp = ['REQUEST_METHOD $request_method', 'QUERY_STRING $query_string', 'REMOTE_ADDR $remote_addr']
    .concat('CONTENT_TYPE $content_type', 'CONTENT_LENGTH $content_length', 'REQUEST_URI $request_uri')
    .map((param) => `fastcgi_param ${param};`)
    .concat(`fastcgi_pass unix:${php.socket};`)
    .join(' ');
  const locations = Object.entries(entries).map(
    ([path, script]) => `location = ${path} { fastcgi_param SCRIPT_FILENAME ${scripts}/${script}; ${toPhp} }`,
  );
  const nginx = await startNginx({ conf: `server { listen 127.0.0.1:${port}; ${locations.join('\n')} }` });
  return {
    port,
    async stop() {
      await nginx.stop();
      await php.stop('SIGQUIT');
    },
  };
}

type Fields = Readonly<Record<string, string>>;
type Entry = (fields: Fields) => Promise<object>;

/** The same in Node, for machines without PHP. */
export const startNodePlatform: StartOldPlatform = async (databaseUrl) => {
  const pool = createPool({ uri: databaseUrl, connectionLimit: 8 });
  const query = async (text: string, values: (string | undefined)[] = []) =>
    (await pool.query<RowDataPacket[]>(text, values))[0];
  const find = async ({ account }: Fields) =>
    (
      await query('select username, lower(password) as password from members where username = ?', [account])
    )[0];
  const refused = { code: 1 };

  const rules: Record<keyof typeof entries, Entry> = {
    async '/api/login'(fields) {
      const member = await find(fields);
      if (!member || member.password !== passwords.hash(fields.password ?? '')) return refused;
      await query('update members set logins = logins + 1, lasttime = now() where username = ?', [
        fields.account,
      ]);
      return { code: 0, account: member.username, token: member.password };
    },
    async '/api/check'(fields) {
      const member = await find(fields);
      return member && member.password === fields.token ? { code: 0 } : refused;
    },
    async '/api/register'(fields) {
      const token = passwords.hash(fields.password ?? '');
      const values = [fields.account, token, fields.email];
      await query(
        'insert into members (username, password, mail, regtime) values (?, ?, ?, unix_timestamp())',
        values,
      );
      return { code: 0, token };
    },
    async '/api/password'(fields) {
      const member = await find(fields);
      if (member?.password !== passwords.hash(fields.old_password ?? '')) return refused;
      const token = passwords.hash(fields.password ?? '');
      await query('update members set password = ? where username = ?', [token, fields.account]);
      return { code: 0, token };
    },
    '/api/server/list': async () => ({ code: 0, servers: await query('select * from servers') }),
  };

  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const rule = (rules as Record<string, Entry>)[request.url ?? ''];
    if (rule === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(await rule(await fieldsOf(request))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
};

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const text = Buffer.concat(await request.toArray()).toString();
  if (/json/.test(request.headers['content-type'] ?? '')) return JSON.parse(text);
  return Object.fromEntries(new URLSearchParams(text));
}
