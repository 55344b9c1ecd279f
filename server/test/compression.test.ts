import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

/** Reads an answer as it was sent; fetch would decompress it. */
function rawGet(url: string, headers: Record<string, string>) {
  return new Promise<{ encoding?: string; vary?: string; bytes: Buffer }>((resolve, reject) => {
    const sent = request(url, { headers: { 'x-forwarded-for': '198.18.0.1', ...headers } }, (answer) => {
      const { 'content-encoding': encoding, vary } = answer.headers;
      buffer(answer).then(
        (bytes) => resolve({ ...(encoding && { encoding }), ...(vary && { vary }), bytes }),
        reject,
      );
    });
    sent.on('error', reject).end();
  });
}

describeByTier('long answers to players and operators', (engine) => {
  test('when the caller accepts gzip, then they are compressed, and short ones are not', async () => {
    const app = await startTestApp(await engine.freshUrl(), { console: { require_totp: false } });
    const { token } = await app.register('Alice');
    const events = Array.from({ length: 40 }, (_, n) => ({
      player_id: 1,
      at: Date.now() - n * 60_000,
      kind: 'login',
      code: null,
      server_id: null,
      ip: `203.0.113.${n}`,
    }));
    await app.db.kysely.insertInto('player_login').values(events).execute();
    const { cookie } = await makeOperator(app);
    const player = { authorization: `Bearer ${token}` };
    const long: readonly (readonly [path: string, headers: Record<string, string>])[] = [
      ['/api/account/logins', player],
      ['/api/admin/dashboard?days=30', { cookie }],
    ];
    for (const [path, headers] of long) {
      const get = (accepted: string) =>
        rawGet(app.url + path, { ...headers, ...(accepted && { 'accept-encoding': accepted }) });
      const plain = await get('');
      expect([path, plain.encoding, plain.vary]).toEqual([path, undefined, 'accept-encoding']);
      expect(plain.bytes.length).toBeGreaterThan(1400);
      const packed = await get('br, gzip, deflate');
      expect([path, packed.encoding, packed.vary]).toEqual([path, 'gzip', 'accept-encoding']);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      const shape = (bytes: Buffer) => Object.keys(JSON.parse(bytes.toString()));
      expect(shape(gunzipSync(packed.bytes))).toEqual(shape(plain.bytes));
      for (const refused of ['identity', 'br', 'gzip;q=0'])
        expect([path, refused, (await get(refused)).encoding]).toEqual([path, refused, undefined]);
    }
    const short = await rawGet(`${app.url}/api/account`, { ...player, 'accept-encoding': 'gzip' });
    expect([short.encoding, short.vary]).toEqual([undefined, undefined]);
    expect(JSON.parse(short.bytes.toString())).toMatchObject({ account: 'Alice' });
  });
});
