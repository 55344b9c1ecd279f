import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false } };
const DAY_MS = 24 * 3_600_000;

describeOnEngines('chat for operators', (engine) => {
  test('when the chat is searched, then each filter applies, page by page, in the operator’s zones only', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const support = await makeOperator(app, { name: 'support', role: 'support' });
    const limited = await makeOperator(app, { name: 'limited', role: 'support', zones: [2] });
    const start = Date.now() - 3 * DAY_MS;
    const line = (n: number) => ({
      server_id: 1 + (n % 2),
      account: n % 3 === 0 ? 'alice' : 'bob',
      role: `role ${n % 5}`,
      channel: n % 4 < 2 ? 'world' : 'guild',
      content: n === 30 ? 'Buy Gold at example.com' : `line ${n}`,
      // Two lines per moment, so that the order depends on their ids.
      received_at: start + Math.floor(n / 2) * 1000,
    });
    await app.db.kysely
      .insertInto('chat')
      .values(Array.from({ length: 120 }, (_, n) => line(n)))
      .execute();

    const contents = async (client: typeof support, query: string) => {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, body } = await client.get(`chat?${query}&limit=17${cursor && `&cursor=${cursor}`}`);
        expect([query, status]).toEqual([query, 200]);
        found.push(...body.chat.map(({ content }: { content: string }) => content));
        cursor = body.next;
      }
      return found;
    };
    const wanted = (fits: (each: ReturnType<typeof line>) => boolean) =>
      Array.from({ length: 120 }, (_, n) => line(n))
        .reverse()
        .filter(fits)
        .map(({ content }) => content);
    expect(await contents(support, '')).toEqual(wanted(() => true));
    expect(await contents(support, 'server_id=2')).toEqual(wanted((each) => each.server_id === 2));
    expect(await contents(support, 'account=alice')).toEqual(wanted((each) => each.account === 'alice'));
    expect(await contents(support, 'role=role+3')).toEqual(wanted((each) => each.role === 'role 3'));
    expect(await contents(support, 'channel=guild')).toEqual(wanted((each) => each.channel === 'guild'));
    const [from, to] = [start + 5000, start + 9000].map((at) => new Date(at).toISOString());
    expect(await contents(support, `from=${from}&to=${to}`)).toEqual(
      wanted((each) => each.received_at >= start + 5000 && each.received_at < start + 9000),
    );
    expect(await contents(support, `q=Gold&from=${new Date(start).toISOString()}`)).toEqual([
      'Buy Gold at example.com',
    ]);
    for (const query of ['q=Gold', `q=Gold&from=${new Date(start - 5 * DAY_MS).toISOString()}`]) {
      for (const accept of ['application/json', 'text/csv']) {
        const refused = await support.get(`chat?${query}`, { headers: { accept } });
        expect([accept, refused.status, refused.body.errors[0].field]).toEqual([accept, 400, 'from']);
      }
    }
    const exports = async () => (await auditRows(app.db)).filter(({ action }) => action === 'export').length;
    expect(await exports()).toBe(0);
    const file = await support.get('chat?account=alice', { headers: { accept: 'text/csv' } });
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(
      1 + wanted((each) => each.account === 'alice').length,
    );
    expect(await exports()).toBe(1);

    expect(await contents(limited, '')).toEqual(wanted((each) => each.server_id === 2));
    expect((await limited.get('chat?server_id=1')).body.code).toBe('server_not_found');

    const [{ id } = { id: 0 }] = await app.db.kysely
      .selectFrom('chat')
      .select('id')
      .where('content', '=', 'line 61')
      .execute();
    const around = (await support.get(`chat/${id}/context`)).body.chat.map(
      (each: { content: string }) => each.content,
    );
    const channel = wanted((each) => each.server_id === 2 && each.channel === line(61).channel).reverse();
    const place = channel.indexOf('line 61');
    expect(around).toEqual(channel.slice(Math.max(0, place - 20), place + 21));
    expect((await limited.get(`chat/${id}/context`)).status).toBe(200);
    expect((await limited.get(`chat/${id - 1}/context`)).body.code).toBe('not_found');
    expect((await support.get('chat/999999/context')).body.code).toBe('not_found');
  });
});
