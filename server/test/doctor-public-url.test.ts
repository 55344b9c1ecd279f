import { expect, test } from 'vitest';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { examinePublicUrl } from '../src/features/doctor/admin/environment.ts';
import { parseSettings } from '../src/settings/load.ts';
import { KEY, STRONG, type Table } from './support/doctor.ts';
import { startTestApp } from './support/test-app.ts';

const auth = { password_key: KEY, jwt_secret: STRONG };
const settings = (more: Table = {}) => parseSettings({ auth, public_url: 'http://192.0.2.1', ...more });

/** Simulates a proxy on the same machine that forwards the request with these headers. */
async function proxied(headers: Record<string, string>, more: Table = {}) {
  const app = await startTestApp(freshSqlite(), more);
  const askPublicly = async (_publicUrl: string, path: string) => {
    const { status, headers: answered } = await fetch(app.url + path, { headers });
    return { status, isOurs: answered.has('x-request-id') };
  };
  return examinePublicUrl(settings(), { askPublicly });
}

test('when a proxy hides that a request came from outside, then the doctor warns that loopback’s privileges are open', async () => {
  const finding = await proxied({});
  expect(finding).toMatchObject({ status: 'warning', fix: expect.stringContaining('trust_proxy') });
  expect(finding.detail).toContain('privileges of loopback');
});

test('when the proxy reports it, trusted or not, then all is well', async () => {
  const from = { 'x-forwarded-for': '203.0.113.7' };
  expect((await proxied(from)).status).toBe('ok');
  expect((await proxied(from, { trust_proxy: [] })).status).toBe('ok');
});

test('when no service or another one answers there, then the doctor warns; when it leads to this machine, then nothing is checked', async () => {
  const askPublicly = async () => ({ status: 200, isOurs: false });
  expect((await examinePublicUrl(settings(), { askPublicly })).detail).toContain('is not this service');
  const unreachable = async () => Promise.reject(new Error('connection refused'));
  expect(await examinePublicUrl(settings(), { askPublicly: unreachable })).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('connection refused'),
  });
  const local = settings({ public_url: 'http://127.0.0.1:3001' });
  expect((await examinePublicUrl(local, { askPublicly: unreachable })).status).toBe('ok');
});
