import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNginx } from '../../../test-support/nginx.ts';
import { freePort } from '../../../test-support/process.ts';

export interface Route {
  /** Port that answers the requests. */
  readonly to: number;
  /** Port that answers if the first does not. */
  readonly backup?: number;
  /** Registrations and password changes are answered with 503 and `Retry-After`. */
  readonly writesClosed?: boolean;
}

/** The nginx in front of both services. */
export interface Front {
  readonly url: string;
  /** Reloads nginx with another upstream. Resolves when no worker with the old one is left. */
  switchTo(route: Route): Promise<void>;
  stop(): Promise<void>;
}

const WRITES = ['/api/register', '/api/password', '/api/account/password'];

export async function startFront(route: Route): Promise<Front> {
  const port = await freePort();
  const nginx = await startNginx({ conf: configuration(port, route) });
  const workers = () =>
    readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8').trim().split(' ').length;

  return {
    url: `http://127.0.0.1:${port}`,
    async switchTo(next) {
      await nginx.reload(configuration(port, next));
      for (const deadline = Date.now() + 60_000; workers() > 1; await sleep(10))
        if (Date.now() > deadline) throw new Error('a worker of nginx did not finish its requests');
    },
    stop: () => nginx.stop(),
  };
}

function configuration(port: number, { to, backup, writesClosed }: Route): string {
  const second = backup === undefined ? '' : `server 127.0.0.1:${backup} backup;`;
  const closed = WRITES.map((path) => `location = ${path} { add_header Retry-After 1 always; return 503; }`);
  return `
    upstream platform { server 127.0.0.1:${to} max_fails=0; ${second} keepalive 64; }
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $http_x_forwarded_for;
    server {
      listen 127.0.0.1:${port} backlog=1024;
      location / { proxy_pass http://platform; }
      ${writesClosed ? closed.join('\n') : ''}
    }`;
}
