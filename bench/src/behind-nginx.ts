import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Nginx, startNginx } from '../../test-support/nginx.ts';
import { siteConfiguration } from '../../test-support/nginx-site.ts';
import { startPhpFpm } from '../../test-support/php-fpm.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { answers } from '../../test-support/server.ts';
import { type Candidate, childrenOf, onItsCore } from './candidates.ts';
import { JWT_SECRET, PASSWORD_KEY } from './test-data.ts';

/** Puts the shipped nginx configuration in front of the service, without its limits, which refuse what a benchmark does. */
export async function behindNginx(service: Candidate): Promise<Candidate> {
  const port = await freePort();
  const conf = siteConfiguration({
    listen: [`127.0.0.1:${port}`],
    backends: [service.port],
    root: tempDir('root'),
  })
    .replaceAll('rate=100r/s', 'rate=1000000r/s')
    .replace(/limit_conn gatehouse_conn \d+/, 'limit_conn gatehouse_conn 10000');
  const nginx = await startNginx({ conf });
  return onItsCore({
    ...service,
    name: 'nginx + gatehouse',
    port,
    nginx: workerOf(nginx),
    stop: async () => {
      await nginx.stop();
    },
  });
}

const workerOf = ({ pid }: Nginx) => childrenOf(pid)[0] ?? pid;

/** Serves answers of the service as files. */
export async function startFiles(bodies: Readonly<Record<string, string>>): Promise<Candidate> {
  const port = await freePort();
  const root = tempDir('files');
  for (const [path, body] of Object.entries(bodies)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), body);
  }
  const nginx = await startNginx({
    conf: `server { listen 127.0.0.1:${port}; root ${root}; default_type application/json; open_file_cache max=10; }`,
  });
  return onItsCore({
    name: 'nginx, file',
    port,
    pid: workerOf(nginx),
    truncateLog: () => {},
    stop: async () => {
      await nginx.stop();
    },
  });
}

/** Starts the hand-written PHP login behind nginx: php-fpm with opcache and its JIT, and persistent connections. */
export async function startPhp(databaseUrl: string): Promise<Candidate> {
  const { username, password, hostname, port: databasePort, pathname } = new URL(databaseUrl);
  if (hostname !== '127.0.0.1') throw new Error('the page connects to 127.0.0.1');
  const php = await startPhpFpm({
    settings: ['opcache.enable=1', 'opcache.jit_buffer_size=64M', 'opcache.jit=tracing'],
  });
  const port = await freePort();
  const parameters = {
    SCRIPT_FILENAME: join(import.meta.dirname, '../php/login.php'),
    REQUEST_METHOD: '$request_method',
    CONTENT_TYPE: '$content_type',
    CONTENT_LENGTH: '$content_length',
    DB_USER: username,
    DB_PASSWORD: password,
    DB_NAME: pathname.slice(1),
    DB_PORT: databasePort,
    PASSWORD_KEY,
    JWT_SECRET,
  };
  const passed = Object.entries(parameters).map(([name, value]) => `fastcgi_param ${name} "${value}";`);
  const nginx = await startNginx({
    conf: `upstream php { server unix:${php.socket}; keepalive 8; }
      server { listen 127.0.0.1:${port};
        location = /api/login { fastcgi_pass php; fastcgi_keep_conn on; ${passed.join(' ')} }
        location / { return 200; } }`,
  });
  if (!(await answers(port))) throw new Error('nginx does not answer');
  return onItsCore({
    name: 'nginx + php-fpm',
    port,
    pid: php.pid,
    nginx: workerOf(nginx),
    truncateLog: () => {},
    stop: async () => {
      await nginx.stop();
      await php.stop();
    },
  });
}
