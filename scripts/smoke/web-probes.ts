import { connect } from 'node:tls';
import { assert, Note, type Probe } from './check.ts';
import type { Client } from './client.ts';

const pages = ['/', '/login', '/agree', '/withdraw'];
const SOON_DAYS = 14;

/** Checks what browsers and old clients get: pages, legacy endpoints, TLS. */
export function webProbes({ send, url, isLocal }: Client): Probe[] {
  return [
    {
      name: 'pages',
      async run() {
        for (const path of pages) {
          const { status, headers, text } = await send(path, { follow: true });
          assert(status === 200 && text.includes('<html'), `${path} answered ${status} and no page`);
          const policy = headers.get('content-security-policy') ?? '';
          assert(/script-src 'self'(;|$)/.test(policy), `${path}: no strict Content-Security-Policy`);
          assert(policy.includes('frame-ancestors'), `${path} can be framed by anybody`);
        }
        const asset = /\/assets\/[^"]+\.js/.exec((await send('/', { follow: true })).text)?.[0];
        assert(asset !== undefined, 'the page loads no script: is the front end built?');
        const { status, headers } = await send(asset, { follow: true });
        assert(status === 200, `${asset} answered ${status}`);
        assert(
          headers.get('cache-control')?.includes('immutable') === true,
          `${asset} is not cached for good`,
        );
        return `${pages.length} pages and their script`;
      },
    },
    {
      name: 'retired paths',
      async run() {
        const api = await send('/api');
        assert(api.status === 410, `/api answered ${api.status} instead of 410`);
        for (const path of ['/api.php', '/callback.php', '/server.php']) {
          const { status } = await send(path);
          assert(
            status === 410 || status === 404,
            `${path} answered ${status} instead of 410, or 404 by nginx`,
          );
        }
        const other = await send('/index.php');
        assert(other.status === 404, `/index.php answered ${other.status} instead of 404`);
        const login = await send('/login.php');
        if (login.status === 404) return '.php is answered 404 by the web server in front';
        assert(login.status === 301, `/login.php answered ${login.status} instead of 301, or 404 by nginx`);
        const target = URL.parse(login.headers.get('location') ?? '', url);
        assert(target?.pathname === '/login', '/login.php does not lead to the login page');
        return '410, and the old login page leads to the new one';
      },
    },
    {
      name: 'transport',
      async run() {
        if (url.protocol === 'http:')
          throw new Note(
            isLocal ? 'plain HTTP, on this machine only' : 'plain HTTP: passwords travel readable; use TLS',
          );
        const { version, days } = await certificate(url);
        assert(days > 0, 'the certificate has run out');
        if (days < SOON_DAYS) throw new Note(`${version}; the certificate runs out in ${days} days`);
        if (!(await send('/api/config')).headers.has('strict-transport-security'))
          throw new Note(`${version}, certificate good for ${days} days; no Strict-Transport-Security`);
        return `${version}, certificate good for ${days} days`;
      },
    },
  ];
}

/** Checks every answer so far; run it last. */
export function headersProbe({ seen }: Client): Probe {
  return {
    name: 'headers',
    async run() {
      for (const { path, answer } of seen) {
        const { headers } = answer;
        const leak = [headers.get('x-powered-by'), headers.get('server')].find((text) =>
          /\d|\w+\/|Express/.test(text ?? ''),
        );
        assert(leak === undefined, `${path} tells what runs here: ${leak}`);
        assert(headers.get('x-content-type-options') === 'nosniff', `${path}: no X-Content-Type-Options`);
        assert(!path.startsWith('/api/') || headers.has('x-request-id'), `${path}: no X-Request-Id`);
      }
      return `${seen.length} answers carry what they should and leak nothing`;
    },
  };
}

function certificate({ hostname, port }: URL): Promise<{ version: string; days: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, servername: hostname, port: Number(port || 443) }, () => {
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / 86_400_000);
      resolve({ version: socket.getProtocol() ?? 'TLS', days });
      socket.end();
    });
    socket.once('error', reject);
  });
}
