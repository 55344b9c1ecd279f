import { expect, test } from 'vitest';
import { freshSqlite } from '../../test-support/sqlite.ts';
import manifest from '../package.json' with { type: 'json' };
import { startTestApp } from './support/test-app.ts';

test('when a page of the console is requested, then the one document is served, with its own policy', async () => {
  const app = await startTestApp(freshSqlite(), { game: { name: 'A "B" <C>' }, time_zone: 'Asia/Tokyo' });
  const first = await app.get('/console');
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = first.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  // Data for the pages before login is embedded and cannot break out of its attribute.
  expect(first.text).toContain('&quot;timeZone&quot;:&quot;Asia/Tokyo&quot;');
  expect(first.text).toContain('A \\&quot;B\\&quot; &lt;C&gt;');
  expect(first.text).toContain(`&quot;version&quot;:&quot;${manifest.version}&quot;`);
  const withoutNonce = (text: string) => text.replace(/nonce="[^"]+"/g, '');
  for (const path of ['/console/', '/console/zones/3?x=1', '/console/invite'])
    expect(withoutNonce((await app.get(path)).text)).toBe(withoutNonce(first.text));
});

// Required by the CSP evaluator: 'self' alone would trust everything the origin serves, and a fixed nonce is worthless.
test('when the console is requested twice, then each answer has its own nonce, which its scripts carry', async () => {
  const app = await startTestApp(freshSqlite());
  const nonces = new Set<string>();
  for (const { headers, text } of [await app.get('/console'), await app.get('/console')]) {
    const policy = headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /script-src 'nonce-([\w+/]{22}==)' 'strict-dynamic' 'self';/.exec(policy) ?? [];
    nonces.add(nonce);
    expect(headers.get('cache-control')).toBe('no-store');
    for (const tag of text.match(/<(?:script|link rel="(?:modulepreload|stylesheet)")[^>]*>/g) ?? [])
      expect(tag).toContain(` nonce="${nonce}"`);
  }
  expect(nonces.size).toBe(2);
  expect([...nonces]).not.toContain('');
});

test('when an asset of the console is requested, then it is cached forever; one of another release is not found', async () => {
  const app = await startTestApp(freshSqlite());
  const { text } = await app.get('/console');
  const asset = /\/console\/assets\/[\w.-]+\.js/.exec(text)?.[0] ?? '';
  const found = await app.get(asset);
  expect(found.status).toBe(200);
  expect(found.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await app.get('/console/assets/gone-12345678.js')).body.code).toBe('not_found');
});

test('when the console is limited to some addresses, then all others get 404', async () => {
  const app = await startTestApp(freshSqlite(), { console: { ip: ['203.0.113.0/24'] } });
  const asset =
    /\/console\/assets\/[\w.-]+\.js/.exec((await app.from('203.0.113.9').get('/console')).text)?.[0] ?? '';
  for (const path of ['/console', '/console/', '/console/zones', asset]) {
    expect((await app.from('203.0.113.9').get(path)).status).toBe(200);
    expect((await app.from('198.51.100.1').get(path)).body.code).toBe('not_found');
  }
});
